import sys
from pathlib import Path

# The plugin and the program under test are in the folder above.
sys.path.insert(0, str(Path(__file__).parent.parent))

pytest_plugins = ["mercadito_pytest"]
