"""How far a verdict may be trusted: agreement, calibrated levels, corrected scores."""
