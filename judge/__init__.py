"""Who answers, how the answer is checked, what is kept, and how it is reported."""
