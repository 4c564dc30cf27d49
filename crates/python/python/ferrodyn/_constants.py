"""MuJoCo's constants."""

mjPI = 3.14159265358979323846
mjMINVAL = 1e-15
mjMAXVAL = 1e10
mjMINMU = 1e-5
mjMINIMP = 0.0001
mjMAXIMP = 0.9999
mjMINAWAKE = 10
mjMAXCONPAIR = 50
mjMAXTREEDEPTH = 50
mjNEQDATA = 11
mjNDYN = 10
mjNGAIN = 10
mjNBIAS = 10
mjNFLUID = 12
mjNREF = 2
mjNIMP = 5
mjNSENS = 3
mjNGROUP = 6
mjNSOLVER = 200
mjNISLAND = 20

__all__ = [name for name in globals() if name.startswith("mj")]
