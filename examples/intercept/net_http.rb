require 'net/http'

headers = { 'Authorization' => "Bearer #{ENV.fetch('MERCADITO_TOKEN')}" }
print Net::HTTP.get(URI('https://api.mercadolibre.com/users/me'), headers)
