import os

import httpx

headers = {"Authorization": f"Bearer {os.environ['MERCADITO_TOKEN']}"}
print(httpx.get("https://api.mercadolibre.com/users/me", headers=headers).text, end="")
