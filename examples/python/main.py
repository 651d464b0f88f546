import os

from answers import answer_all

count = answer_all(os.environ["MERCADITO_URL"], os.environ["MERCADITO_TOKEN"], "¡Hola! Sí, tenemos stock.")
print(f"{count} questions answered")
