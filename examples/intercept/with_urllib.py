import os
from urllib.request import Request, urlopen

headers = {"Authorization": f"Bearer {os.environ['MERCADITO_TOKEN']}"}
with urlopen(Request("https://api.mercadolibre.com/users/me", headers=headers)) as answer:
    print(answer.read().decode(), end="")
