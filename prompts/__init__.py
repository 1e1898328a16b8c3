"""How a judge model is asked: Jinja2 templates by version, their hash, and rendering."""
