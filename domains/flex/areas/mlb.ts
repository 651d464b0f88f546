import { type Area, area } from './area.ts'

export const MLB: readonly Area[] = [
  area(
    'São Paulo',
    [-46.63, -23.55],
    `
      São Paulo, Osasco, Guarulhos, Barueri, Carapicuíba, Cotia, Taboão da Serra, Embu das Artes,
      Itapecerica da Serra, Santana de Parnaíba, Jandira, Itapevi, Santo André, São Bernardo do Campo,
      São Caetano do Sul, Diadema, Mauá, Ribeirão Pires, Suzano, Mogi das Cruzes, Poá, Itaquaquecetuba,
      Ferraz de Vasconcelos, Arujá, Caieiras, Franco da Rocha
    `,
    `
      mandatory | São Paulo Centro       | 10,90 | Sé, República, Bela Vista, Consolação, Santa Cecília, Liberdade, Bom Retiro, Cambuci
      central   | Centro Expandido       | 10,90 | Pinheiros, Jardim Paulista, Itaim Bibi, Moema, Vila Mariana, Perdizes, Lapa, Barra Funda, Mooca
      zone      | Zona Oeste             | 12,90 | Butantã, Vila Leopoldina, Jaguaré, Rio Pequeno, Raposo Tavares, Vila Sônia, Jaguara
      zone      | Zona Norte             | 12,90 | Santana, Tucuruvi, Casa Verde, Vila Maria, Freguesia do Ó, Tremembé, Pirituba, Brasilândia
      zone      | Zona Sul               | 12,90 | Santo Amaro, Jabaquara, Campo Belo, Sacomã, Cursino, Campo Limpo, Vila Andrade, Cidade Ademar
      zone      | Zona Leste             | 13,90 | Tatuapé, Penha, Vila Prudente, Vila Formosa, Aricanduva, Sapopemba, Carrão, Cangaíba
      zone      | Zona Leste 2           | 14,90 | Itaquera, São Mateus, São Miguel Paulista, Guaianases, Itaim Paulista, Cidade Tiradentes, Ermelino Matarazzo
      zone      | Extremo Sul            | 15,90 | Capela do Socorro, Grajaú, Parelheiros, Jardim Ângela, Cidade Dutra, Pedreira
      zone      | ABC                    | 15,90 | Santo André, São Bernardo do Campo, São Caetano do Sul, Diadema, Mauá, Ribeirão Pires
      zone      | Grande São Paulo Oeste | 16,90 | Osasco, Barueri, Carapicuíba, Cotia, Taboão da Serra, Embu das Artes, Santana de Parnaíba, Jandira, Itapevi
      zone      | Guarulhos              | 16,90 | Centro de Guarulhos, Vila Galvão, Cumbica, Bonsucesso, Picanço, Pimentas
      zone      | Alto Tietê             | 19,90 | Suzano, Mogi das Cruzes, Poá, Itaquaquecetuba, Ferraz de Vasconcelos, Arujá
    `,
  ),
  area(
    'Rio de Janeiro',
    [-43.21, -22.91],
    `
      Rio de Janeiro, Niterói, São Gonçalo, Duque de Caxias, Nova Iguaçu, São João de Meriti, Belford Roxo, Nilópolis,
      Mesquita, Queimados, Magé, Itaboraí, Maricá
    `,
    `
      mandatory | Rio Centro            | 11,90 | Centro, Lapa, Glória, Santa Teresa, Cidade Nova, Gamboa, São Cristóvão
      zone      | Rio Zona Sul          | 11,90 | Copacabana, Ipanema, Leblon, Botafogo, Flamengo, Laranjeiras, Gávea, Jardim Botânico
      zone      | Rio Zona Norte        | 12,90 | Tijuca, Vila Isabel, Méier, Madureira, Penha, Ilha do Governador, Del Castilho, Irajá
      zone      | Barra e Jacarepaguá   | 14,90 | Barra da Tijuca, Recreio dos Bandeirantes, Jacarepaguá, Freguesia, Taquara, Vargem Grande
      zone      | Rio Zona Oeste        | 16,90 | Campo Grande, Bangu, Realengo, Santa Cruz, Guaratiba, Padre Miguel
      zone      | Niterói e São Gonçalo | 16,90 | Icaraí, Ingá, Fonseca, Itaipu, Alcântara, Neves
      zone      | Baixada Fluminense    | 17,90 | Duque de Caxias, Nova Iguaçu, São João de Meriti, Belford Roxo, Nilópolis, Mesquita, Queimados
    `,
  ),
  area(
    'Brasília',
    [-47.89, -15.79],
    `
      Brasília, Taguatinga, Ceilândia, Águas Claras, Guará, Gama, Samambaia, Sobradinho, Planaltina,
      Valparaíso de Goiás, Luziânia, Águas Lindas de Goiás, Novo Gama
    `,
    `
      mandatory | Plano Piloto            | 10,90 | Asa Sul, Asa Norte, Sudoeste, Noroeste, Octogonal, Cruzeiro, Vila Planalto
      zone      | Lagos e Jardim Botânico | 12,90 | Lago Sul, Lago Norte, Jardim Botânico, Paranoá, Itapoã, São Sebastião
      zone      | Guará e Águas Claras    | 12,90 | Guará, Águas Claras, Vicente Pires, Park Way, Núcleo Bandeirante, Riacho Fundo
      zone      | Taguatinga e Ceilândia  | 14,90 | Taguatinga, Ceilândia, Samambaia, Recanto das Emas, Sol Nascente
      zone      | Sobradinho e Planaltina | 15,90 | Sobradinho, Sobradinho II, Planaltina, Fercal, Grande Colorado
      zone      | Entorno Sul             | 18,90 | Gama, Santa Maria, Valparaíso de Goiás, Novo Gama, Luziânia
    `,
  ),
  area(
    'Belo Horizonte',
    [-43.94, -19.92],
    `
      Belo Horizonte, Contagem, Betim, Nova Lima, Ribeirão das Neves, Santa Luzia, Sabará, Ibirité, Vespasiano,
      Lagoa Santa
    `,
    `
      mandatory | BH Centro Sul       |  9,90 | Centro, Savassi, Lourdes, Funcionários, Santo Agostinho, Serra, Sion, Belvedere
      zone      | BH Leste e Nordeste | 11,90 | Santa Tereza, Floresta, Santa Efigênia, Cidade Nova, Sagrada Família, União
      zone      | BH Oeste e Barreiro | 11,90 | Buritis, Gutierrez, Estoril, Nova Suíça, Barreiro, Milionários
      zone      | BH Pampulha e Norte | 12,90 | Pampulha, Castelo, Ouro Preto, Planalto, Venda Nova, Jaraguá
      zone      | Contagem e Betim    | 14,90 | Eldorado, Contagem, Industrial, Betim, Ibirité, Riacho das Pedras
      zone      | Grande BH Norte     | 17,90 | Ribeirão das Neves, Santa Luzia, Vespasiano, Lagoa Santa, Sabará
    `,
  ),
  area(
    'Porto Alegre',
    [-51.22, -30.03],
    `
      Porto Alegre, Canoas, Gravataí, Viamão, Cachoeirinha, Alvorada, Esteio, Sapucaia do Sul, São Leopoldo,
      Novo Hamburgo, Estância Velha, Campo Bom, Guaíba
    `,
    `
      mandatory | POA Centro    |  9,90 | Centro Histórico, Cidade Baixa, Bom Fim, Moinhos de Vento, Independência, Floresta, Menino Deus
      zone      | POA Norte     | 11,90 | Passo d'Areia, Cristo Redentor, Sarandi, Jardim Lindóia, São João, Higienópolis
      zone      | POA Leste     | 11,90 | Petrópolis, Bela Vista, Jardim Botânico, Partenon, Chácara das Pedras, Bom Jesus
      zone      | POA Sul       | 12,90 | Tristeza, Cristal, Ipanema, Cavalhada, Vila Assunção, Restinga
      zone      | Grande POA    | 15,90 | Canoas, Cachoeirinha, Gravataí, Alvorada, Viamão, Esteio
      zone      | Vale do Sinos | 18,90 | Sapucaia do Sul, São Leopoldo, Novo Hamburgo, Estância Velha, Campo Bom
    `,
  ),
  area(
    'Salvador',
    [-38.48, -12.97],
    "Salvador, Lauro de Freitas, Camaçari, Simões Filho, Dias d'Ávila, Candeias",
    `
      mandatory | Salvador Centro      |  9,90 | Pelourinho, Comércio, Barris, Nazaré, Barra, Graça, Vitória, Campo Grande
      zone      | Orla Atlântica       | 11,90 | Ondina, Rio Vermelho, Amaralina, Pituba, Costa Azul, Itapuã, Stella Maris
      zone      | Miolo                | 12,90 | Brotas, Cabula, Pernambués, Pau da Lima, São Marcos, Cajazeiras
      zone      | Subúrbio Ferroviário | 13,90 | Ribeira, Plataforma, Lobato, Periperi, Paripe, Itacaranha
      zone      | Grande Salvador      | 17,90 | Lauro de Freitas, Camaçari, Simões Filho, Dias d'Ávila, Candeias
    `,
  ),
  area(
    'Curitiba',
    [-49.27, -25.43],
    `
      Curitiba, São José dos Pinhais, Colombo, Pinhais, Araucária, Almirante Tamandaré, Piraquara, Fazenda Rio Grande,
      Campo Largo, Campina Grande do Sul, Quatro Barras
    `,
    `
      mandatory | Curitiba Centro       |  9,90 | Centro, Batel, Água Verde, Rebouças, Centro Cívico, Bigorrilho, Alto da Glória
      zone      | Curitiba Norte        | 11,90 | Juvevê, Ahú, Boa Vista, Santa Cândida, Bacacheri, Pilarzinho
      zone      | Curitiba Sul          | 11,90 | Portão, Novo Mundo, Boqueirão, Pinheirinho, Sítio Cercado, Capão Raso
      zone      | Curitiba Oeste        | 12,90 | Santa Felicidade, Campo Comprido, Mossunguê, Cidade Industrial, São Braz
      zone      | Grande Curitiba Leste | 15,90 | São José dos Pinhais, Pinhais, Piraquara, Quatro Barras, Campina Grande do Sul
      zone      | Grande Curitiba Oeste | 16,90 | Colombo, Almirante Tamandaré, Campo Largo, Araucária, Fazenda Rio Grande
    `,
  ),
]
