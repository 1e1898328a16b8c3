"""Reading a hostile repository safely, and finding the lines that decide a claim."""
