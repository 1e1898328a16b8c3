from .modules import LoRALinear, apply_lora

__all__ = ["LoRALinear", "apply_lora"]
