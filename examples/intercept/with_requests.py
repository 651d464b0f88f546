import os

import requests

headers = {"Authorization": f"Bearer {os.environ['MERCADITO_TOKEN']}"}
print(requests.get("https://api.mercadolibre.com/users/me", headers=headers).text, end="")
