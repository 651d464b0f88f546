// The coverage areas of each site. An area is a paragraph: its name with the longitude and latitude of its centre, the cities
// of the senders, and its zones from the centre outwards, one in a line: `zone` for one that a seller chooses, `central` if it
// is served by default, `mandatory` if every seller serves it; its name, price and neighborhoods.

export const AREA_TEXTS = {
  MLA: `
    Área Metropolitana de Buenos Aires: -58.43, -34.61
      Buenos Aires, Ciudad Autónoma de Buenos Aires, Capital Federal, Avellaneda, Lanús, Lomas de Zamora, Quilmes,
      Berazategui, Florencio Varela, Almirante Brown, Esteban Echeverría, Ezeiza, Vicente López, San Isidro,
      San Fernando, Tigre, Pilar, Escobar, Malvinas Argentinas, José C. Paz, San Miguel, General San Martín,
      Tres de Febrero, Hurlingham, Ituzaingó, Morón, La Matanza, Merlo, Moreno, General Rodríguez, La Plata, Berisso,
      Ensenada
      central | CABA            | 4490,00 | Retiro, Recoleta, Palermo, Belgrano, Núñez, Colegiales, Balvanera, San Nicolás, Almagro
      central | CABA Sur        | 4490,00 | San Telmo, La Boca, Barracas, Constitución, Parque Patricios, Boedo, Nueva Pompeya, Villa Lugano, Mataderos
      zone    | CABA Oeste      | 4790,00 | Caballito, Flores, Floresta, Villa Crespo, Villa Urquiza, Villa Devoto, Villa del Parque, Liniers, Versalles
      zone    | GBA Norte       | 5290,00 | Vicente López, Olivos, Florida, San Isidro, Martínez, Boulogne, San Fernando
      zone    | GBA Oeste       | 5290,00 | San Martín, Caseros, Ciudadela, Ramos Mejía, San Justo, Morón, Haedo, Hurlingham
      zone    | GBA Sur         | 5290,00 | Avellaneda, Lanús, Lomas de Zamora, Banfield, Temperley, Quilmes, Bernal
      zone    | GBA Norte 2     | 6890,00 | Tigre, Don Torcuato, General Pacheco, San Miguel, Grand Bourg, José C. Paz
      zone    | GBA Oeste 2     | 6890,00 | Ituzaingó, Merlo, Moreno, Laferrere, González Catán, Virrey del Pino
      zone    | GBA Sur 2       | 6890,00 | Adrogué, Burzaco, Monte Grande, Ezeiza, Berazategui, Florencio Varela
      zone    | Pilar y Escobar | 8490,00 | Pilar, Del Viso, Escobar, Ingeniero Maschwitz, Garín, General Rodríguez
      zone    | La Plata        | 8990,00 | La Plata, City Bell, Gonnet, Tolosa, Berisso, Ensenada

    Córdoba: -64.19, -31.42
      Córdoba, Villa Allende, Unquillo, Mendiolaza, Saldán, La Calera, Malagueño, Villa Carlos Paz, Río Ceballos,
      Juárez Celman
      mandatory | Córdoba Centro | 3990,00 | Centro, Nueva Córdoba, Alberdi, Güemes, Alta Córdoba, General Paz, Cofico
      zone      | Córdoba Norte  | 4590,00 | Cerro de las Rosas, Urca, Villa Belgrano, Argüello, Villa Cabrera, Los Boulevares
      zone      | Córdoba Sur    | 4590,00 | Jardín, Villa El Libertador, Parque Capital, Ciudad Universitaria, Inaudi, Villa Eucarística
      zone      | Córdoba Este   | 4790,00 | San Vicente, Yofre Norte, Pueyrredón, Juniors, Maipú, Ferreyra
      zone      | Córdoba Oeste  | 4790,00 | Alto Alberdi, Los Plátanos, Las Palmas, San Salvador, Villa Siburu
      zone      | Sierras Chicas | 6490,00 | Villa Allende, Saldán, Mendiolaza, Unquillo, Río Ceballos, La Calera
      zone      | Punilla Sur    | 7890,00 | Malagueño, Villa Carlos Paz, San Antonio de Arredondo, Icho Cruz
  `,
  MLB: `
    São Paulo: -46.63, -23.55
      São Paulo, Osasco, Guarulhos, Barueri, Carapicuíba, Cotia, Taboão da Serra, Embu das Artes,
      Itapecerica da Serra, Santana de Parnaíba, Jandira, Itapevi, Santo André, São Bernardo do Campo,
      São Caetano do Sul, Diadema, Mauá, Ribeirão Pires, Suzano, Mogi das Cruzes, Poá, Itaquaquecetuba,
      Ferraz de Vasconcelos, Arujá, Caieiras, Franco da Rocha
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

    Rio de Janeiro: -43.21, -22.91
      Rio de Janeiro, Niterói, São Gonçalo, Duque de Caxias, Nova Iguaçu, São João de Meriti, Belford Roxo, Nilópolis,
      Mesquita, Queimados, Magé, Itaboraí, Maricá
      mandatory | Rio Centro            | 11,90 | Centro, Lapa, Glória, Santa Teresa, Cidade Nova, Gamboa, São Cristóvão
      zone      | Rio Zona Sul          | 11,90 | Copacabana, Ipanema, Leblon, Botafogo, Flamengo, Laranjeiras, Gávea, Jardim Botânico
      zone      | Rio Zona Norte        | 12,90 | Tijuca, Vila Isabel, Méier, Madureira, Penha, Ilha do Governador, Del Castilho, Irajá
      zone      | Barra e Jacarepaguá   | 14,90 | Barra da Tijuca, Recreio dos Bandeirantes, Jacarepaguá, Freguesia, Taquara, Vargem Grande
      zone      | Rio Zona Oeste        | 16,90 | Campo Grande, Bangu, Realengo, Santa Cruz, Guaratiba, Padre Miguel
      zone      | Niterói e São Gonçalo | 16,90 | Icaraí, Ingá, Fonseca, Itaipu, Alcântara, Neves
      zone      | Baixada Fluminense    | 17,90 | Duque de Caxias, Nova Iguaçu, São João de Meriti, Belford Roxo, Nilópolis, Mesquita, Queimados

    Brasília: -47.89, -15.79
      Brasília, Taguatinga, Ceilândia, Águas Claras, Guará, Gama, Samambaia, Sobradinho, Planaltina,
      Valparaíso de Goiás, Luziânia, Águas Lindas de Goiás, Novo Gama
      mandatory | Plano Piloto            | 10,90 | Asa Sul, Asa Norte, Sudoeste, Noroeste, Octogonal, Cruzeiro, Vila Planalto
      zone      | Lagos e Jardim Botânico | 12,90 | Lago Sul, Lago Norte, Jardim Botânico, Paranoá, Itapoã, São Sebastião
      zone      | Guará e Águas Claras    | 12,90 | Guará, Águas Claras, Vicente Pires, Park Way, Núcleo Bandeirante, Riacho Fundo
      zone      | Taguatinga e Ceilândia  | 14,90 | Taguatinga, Ceilândia, Samambaia, Recanto das Emas, Sol Nascente
      zone      | Sobradinho e Planaltina | 15,90 | Sobradinho, Sobradinho II, Planaltina, Fercal, Grande Colorado
      zone      | Entorno Sul             | 18,90 | Gama, Santa Maria, Valparaíso de Goiás, Novo Gama, Luziânia

    Belo Horizonte: -43.94, -19.92
      Belo Horizonte, Contagem, Betim, Nova Lima, Ribeirão das Neves, Santa Luzia, Sabará, Ibirité, Vespasiano,
      Lagoa Santa
      mandatory | BH Centro Sul       |  9,90 | Centro, Savassi, Lourdes, Funcionários, Santo Agostinho, Serra, Sion, Belvedere
      zone      | BH Leste e Nordeste | 11,90 | Santa Tereza, Floresta, Santa Efigênia, Cidade Nova, Sagrada Família, União
      zone      | BH Oeste e Barreiro | 11,90 | Buritis, Gutierrez, Estoril, Nova Suíça, Barreiro, Milionários
      zone      | BH Pampulha e Norte | 12,90 | Pampulha, Castelo, Ouro Preto, Planalto, Venda Nova, Jaraguá
      zone      | Contagem e Betim    | 14,90 | Eldorado, Contagem, Industrial, Betim, Ibirité, Riacho das Pedras
      zone      | Grande BH Norte     | 17,90 | Ribeirão das Neves, Santa Luzia, Vespasiano, Lagoa Santa, Sabará

    Porto Alegre: -51.22, -30.03
      Porto Alegre, Canoas, Gravataí, Viamão, Cachoeirinha, Alvorada, Esteio, Sapucaia do Sul, São Leopoldo,
      Novo Hamburgo, Estância Velha, Campo Bom, Guaíba
      mandatory | POA Centro    |  9,90 | Centro Histórico, Cidade Baixa, Bom Fim, Moinhos de Vento, Independência, Floresta, Menino Deus
      zone      | POA Norte     | 11,90 | Passo d'Areia, Cristo Redentor, Sarandi, Jardim Lindóia, São João, Higienópolis
      zone      | POA Leste     | 11,90 | Petrópolis, Bela Vista, Jardim Botânico, Partenon, Chácara das Pedras, Bom Jesus
      zone      | POA Sul       | 12,90 | Tristeza, Cristal, Ipanema, Cavalhada, Vila Assunção, Restinga
      zone      | Grande POA    | 15,90 | Canoas, Cachoeirinha, Gravataí, Alvorada, Viamão, Esteio
      zone      | Vale do Sinos | 18,90 | Sapucaia do Sul, São Leopoldo, Novo Hamburgo, Estância Velha, Campo Bom

    Salvador: -38.48, -12.97
      Salvador, Lauro de Freitas, Camaçari, Simões Filho, Dias d'Ávila, Candeias
      mandatory | Salvador Centro      |  9,90 | Pelourinho, Comércio, Barris, Nazaré, Barra, Graça, Vitória, Campo Grande
      zone      | Orla Atlântica       | 11,90 | Ondina, Rio Vermelho, Amaralina, Pituba, Costa Azul, Itapuã, Stella Maris
      zone      | Miolo                | 12,90 | Brotas, Cabula, Pernambués, Pau da Lima, São Marcos, Cajazeiras
      zone      | Subúrbio Ferroviário | 13,90 | Ribeira, Plataforma, Lobato, Periperi, Paripe, Itacaranha
      zone      | Grande Salvador      | 17,90 | Lauro de Freitas, Camaçari, Simões Filho, Dias d'Ávila, Candeias

    Curitiba: -49.27, -25.43
      Curitiba, São José dos Pinhais, Colombo, Pinhais, Araucária, Almirante Tamandaré, Piraquara, Fazenda Rio Grande,
      Campo Largo, Campina Grande do Sul, Quatro Barras
      mandatory | Curitiba Centro       |  9,90 | Centro, Batel, Água Verde, Rebouças, Centro Cívico, Bigorrilho, Alto da Glória
      zone      | Curitiba Norte        | 11,90 | Juvevê, Ahú, Boa Vista, Santa Cândida, Bacacheri, Pilarzinho
      zone      | Curitiba Sul          | 11,90 | Portão, Novo Mundo, Boqueirão, Pinheirinho, Sítio Cercado, Capão Raso
      zone      | Curitiba Oeste        | 12,90 | Santa Felicidade, Campo Comprido, Mossunguê, Cidade Industrial, São Braz
      zone      | Grande Curitiba Leste | 15,90 | São José dos Pinhais, Pinhais, Piraquara, Quatro Barras, Campina Grande do Sul
      zone      | Grande Curitiba Oeste | 16,90 | Colombo, Almirante Tamandaré, Campo Largo, Araucária, Fazenda Rio Grande
  `,
  MLM: `
    Zona Metropolitana del Valle de México: -99.13, 19.43
      Ciudad de México, CDMX, Nezahualcóyotl, Naucalpan, Naucalpan de Juárez, Tlalnepantla, Tlalnepantla de Baz,
      Ecatepec, Ecatepec de Morelos, Atizapán de Zaragoza, Huixquilucan, Cuautitlán Izcalli, Cuautitlán, Coacalco,
      Tultitlán, Tecámac, Nicolás Romero, Chimalhuacán, Los Reyes La Paz, Ixtapaluca, Valle de Chalco, Chalco,
      Texcoco, Chicoloapan
      mandatory | CDMX Centro           | 59,00 | Centro Histórico, Juárez, Roma Norte, Roma Sur, Condesa, Doctores, Santa María la Ribera, Tlatelolco
      central   | CDMX Poniente         | 59,00 | Polanco, Anzures, Lomas de Chapultepec, Tacubaya, Escandón, San Miguel Chapultepec, Granada
      zone      | CDMX Benito Juárez    | 64,00 | Del Valle, Narvarte, Nápoles, Portales, Mixcoac, Álamos, Xoco
      zone      | CDMX Norte            | 69,00 | Azcapotzalco, Lindavista, Clavería, Vallejo, La Villa, San Juan de Aragón
      zone      | CDMX Oriente          | 69,00 | Iztacalco, Iztapalapa, Venustiano Carranza, Jardín Balbuena, Agrícola Oriental, Moctezuma
      zone      | CDMX Sur              | 74,00 | Coyoacán, San Ángel, Pedregal de San Ángel, Tlalpan, Villa Coapa, Jardines del Pedregal
      zone      | Santa Fe y Cuajimalpa | 79,00 | Santa Fe, Cuajimalpa, Bosques de las Lomas, Interlomas, Contadero
      zone      | Edomex Norponiente    | 84,00 | Naucalpan, Ciudad Satélite, Tlalnepantla, Atizapán de Zaragoza, Lomas Verdes, Huixquilucan
      zone      | Edomex Oriente        | 84,00 | Nezahualcóyotl, Chimalhuacán, Los Reyes La Paz, Benito Juárez, Ciudad Lago
      zone      | Extremo Sur           | 89,00 | Xochimilco, Tláhuac, Milpa Alta, Tepepan, San Pedro Mártir
      zone      | Edomex Norte          | 95,00 | Ecatepec, Coacalco, Tultitlán, Cuautitlán, Cuautitlán Izcalli, Tecámac, Nicolás Romero
      zone      | Edomex Suroriente     | 99,00 | Ixtapaluca, Valle de Chalco, Chalco, Texcoco, Chicoloapan

    Mérida: -89.62, 20.97
      Mérida, Progreso, Kanasín, Umán, Conkal, Ucú
      mandatory | Mérida Centro        | 49,00 | Centro, Santiago, Santa Ana, García Ginerés, Itzimná, Paseo de Montejo
      zone      | Mérida Norte         | 55,00 | Montebello, Altabrisa, San Ramón Norte, Francisco de Montejo, Cholul, Temozón Norte
      zone      | Mérida Poniente      | 59,00 | Ciudad Caucel, Chuburná, Las Américas, Juan Pablo II, Pensiones
      zone      | Mérida Oriente y Sur | 59,00 | Pacabtún, Fidel Velázquez, Vergel, Kukulcán, Ciudad Industrial, Kanasín
      zone      | Costa y Periferia    | 85,00 | Progreso, Chicxulub Puerto, Umán, Conkal, Ucú
  `,
  MLC: `
    Región Metropolitana de Santiago: -70.65, -33.45
      Santiago, Providencia, Las Condes, Vitacura, Lo Barnechea, Ñuñoa, La Reina, Peñalolén, Macul, San Joaquín,
      San Miguel, Pedro Aguirre Cerda, Lo Espejo, La Cisterna, San Ramón, La Granja, El Bosque, La Florida,
      La Pintana, Puente Alto, San Bernardo, Estación Central, Quinta Normal, Lo Prado, Cerro Navia, Pudahuel,
      Cerrillos, Maipú, Padre Hurtado, Peñaflor, Recoleta, Independencia, Conchalí, Huechuraba, Quilicura, Renca,
      Colina, Lampa, Buin, Paine, Calera de Tango
      mandatory | Santiago Centro            | 2990,00 | Barrio Lastarria, Bellas Artes, Barrio Brasil, Yungay, Barrio República, Matta, San Diego
      central   | Providencia y Ñuñoa        | 2990,00 | Providencia, Ñuñoa, Barrio Italia, Bellavista, Plaza Egaña, Pedro de Valdivia
      zone      | Santiago Norte             | 3290,00 | Recoleta, Independencia, Conchalí, Huechuraba, Patronato
      zone      | Santiago Poniente          | 3290,00 | Estación Central, Quinta Normal, Lo Prado, Cerro Navia, Renca
      zone      | Santiago Sur               | 3290,00 | San Miguel, San Joaquín, La Cisterna, Pedro Aguirre Cerda, Lo Espejo, San Ramón, La Granja
      zone      | Santiago Oriente           | 3490,00 | Las Condes, Vitacura, La Reina, El Golf, Los Dominicos
      zone      | Santiago Suroriente        | 3490,00 | La Florida, Peñalolén, Macul, Lo Hermida, Rojas Magallanes
      zone      | Maipú y Pudahuel           | 3790,00 | Maipú, Cerrillos, Pudahuel, Ciudad Satélite, Lo Errázuriz
      zone      | Precordillera              | 3990,00 | Lo Barnechea, La Dehesa, El Arrayán, Los Trapenses
      zone      | Puente Alto y San Bernardo | 4290,00 | Puente Alto, San Bernardo, La Pintana, El Bosque, Bajos de Mena
      zone      | Chacabuco                  | 4990,00 | Quilicura, Colina, Chicureo, Lampa, Batuco
      zone      | Periferia Sur              | 5490,00 | Buin, Paine, Padre Hurtado, Peñaflor, Calera de Tango

    Valparaíso: -71.61, -33.04
      Valparaíso, Viña del Mar, Concón, Quilpué, Villa Alemana, Limache
      mandatory | Valparaíso Plan   | 2790,00 | Barrio Puerto, El Almendral, Barón, Cerro Alegre, Cerro Concepción, Bellavista
      zone      | Valparaíso Cerros | 3190,00 | Playa Ancha, Cerro Los Placeres, Cerro Cordillera, Rodelillo, Placilla, Curauma
      zone      | Viña del Mar      | 3290,00 | Viña Centro, Recreo, Miraflores, Chorrillos, Forestal, Agua Santa
      zone      | Reñaca y Concón   | 3790,00 | Reñaca, Jardín del Mar, Concón, Bosques de Montemar, Santa Julia
      zone      | Marga Marga       | 4290,00 | Quilpué, Villa Alemana, El Belloto, Peñablanca, Limache
  `,
  MCO: `
    Bogotá: -74.08, 4.65
      Bogotá, Bogotá D.C., Soacha, Chía, Cota, Funza, Mosquera, Madrid, Cajicá, Zipaquirá, La Calera, Sibaté
      mandatory | Chapinero                    |  8900,00 | Chapinero Central, Chicó, El Nogal, Rosales, Quinta Camacho, El Retiro, Marly
      central   | Bogotá Centro                |  8900,00 | La Candelaria, Santa Fe, La Macarena, Las Nieves, Los Mártires, San Victorino
      zone      | Teusaquillo y Barrios Unidos |  9400,00 | Teusaquillo, La Soledad, Palermo, Galerías, Polo Club, Siete de Agosto, Doce de Octubre
      zone      | Usaquén                      |  9900,00 | Santa Bárbara, Cedritos, Santa Ana, Toberín, San Cristóbal Norte, Verbenal
      zone      | Suba                         |  9900,00 | Niza, Colina Campestre, Pasadena, Suba Centro, Tibabuyes, Mazurén
      zone      | Engativá                     |  9900,00 | Normandía, Álamos, Boyacá Real, Villas de Granada, Minuto de Dios, Las Ferias
      zone      | Fontibón                     |  9900,00 | Ciudad Salitre, Modelia, Hayuelos, Fontibón Centro, Capellanía
      zone      | Puente Aranda y Kennedy      |  9900,00 | Puente Aranda, Ciudad Montes, Castilla, Kennedy Central, Patio Bonito, Américas
      zone      | Bogotá Sur                   | 11500,00 | Restrepo, Quiroga, San Cristóbal, Rafael Uribe Uribe, Tunjuelito, Venecia
      zone      | Bosa y Ciudad Bolívar        | 12500,00 | Bosa Centro, Bosa El Recreo, Ciudad Bolívar, Madelena, Perdomo, Usme
      zone      | Soacha                       | 13900,00 | Soacha Centro, San Mateo, Ciudad Verde, Compartir, León XIII
      zone      | Sabana de Bogotá             | 15900,00 | Chía, Cota, Cajicá, Funza, Mosquera, Madrid

    Medellín: -75.57, 6.24
      Medellín, Envigado, Itagüí, Sabaneta, Bello, La Estrella, Copacabana, Caldas, Girardota
      mandatory | Comuna 10      |  8500,00 | La Candelaria, Villanueva, Prado, Boston, San Benito, Las Palmas
      zone      | Comuna 11      |  8900,00 | Laureles, Estadio, Conquistadores, Carlos E. Restrepo, Suramericana, Florida Nueva
      zone      | Comuna 14      |  8900,00 | El Poblado, Manila, Castropol, Provenza, Los Balsos, El Tesoro
      zone      | Comuna 16      |  9500,00 | Belén, La Mota, Rosales, Fátima, Loma de los Bernal
      zone      | Medellín Norte |  9900,00 | Aranjuez, Castilla, Robledo, Manrique, Doce de Octubre, Popular
      zone      | Aburrá Sur     | 11500,00 | Envigado, Itagüí, Sabaneta, La Estrella, Caldas
      zone      | Aburrá Norte   | 12500,00 | Bello, Niquía, Copacabana, Girardota, Cabañas

    Cali: -76.53, 3.44
      Cali, Santiago de Cali, Yumbo, Jamundí, Palmira, Candelaria
      mandatory | Cali Centro          |  8500,00 | San Antonio, El Peñón, Granada, San Nicolás, Centenario, Santa Rosa
      zone      | Cali Norte           |  8900,00 | La Flora, Chipichape, Prados del Norte, Versalles, Vipasa, Calima
      zone      | Cali Sur             |  9500,00 | Ciudad Jardín, El Ingenio, Valle del Lili, Limonar, Meléndez, Caney
      zone      | Cali Oriente         |  9900,00 | Aguablanca, Ciudad Córdoba, Mojica, Alfonso López, Villa del Sur
      zone      | Yumbo y Palmira      | 13500,00 | Yumbo, Acopi, Palmira, Rozo
      zone      | Jamundí y Candelaria | 14500,00 | Jamundí, Potrerito, Villagorgona, Poblado Campestre
  `,
  MLU: `
    Montevideo: -56.17, -34.89
      Montevideo, Santiago Vázquez, Paso de la Arena, Abayubá
      mandatory | Montevideo Centro    | 169,00 | Centro, Ciudad Vieja, Cordón, Barrio Sur, Palermo, Parque Rodó, Aguada, Tres Cruces
      zone      | Montevideo Costa     | 179,00 | Punta Carretas, Pocitos, Buceo, Malvín, Punta Gorda, Carrasco, Parque Batlle
      zone      | Montevideo Norte     | 199,00 | La Blanqueada, La Unión, Cerrito, Aires Puros, Villa Española, Maroñas
      zone      | Montevideo Oeste     | 209,00 | Prado, Belvedere, La Teja, Paso Molino, Capurro, Sayago
      zone      | Montevideo Periferia | 239,00 | Cerro, Colón, Peñarol, Paso de la Arena, Manga, Piedras Blancas

    Canelones: -56.28, -34.53
      Canelones, Ciudad de la Costa, Las Piedras, La Paz, Progreso, Pando, Barros Blancos, Paso Carrasco, Atlántida,
      Salinas, Toledo, Joaquín Suárez, Santa Lucía
      mandatory | Canelones Capital    | 219,00 | Canelones, Santa Lucía, Aguas Corrientes, Los Cerrillos
      zone      | Las Piedras y La Paz | 239,00 | Las Piedras, La Paz, Progreso, El Colorado, 18 de Mayo
      zone      | Ruta 8               | 259,00 | Barros Blancos, Pando, Joaquín Suárez, Toledo
      zone      | Ciudad de la Costa   | 269,00 | Paso Carrasco, Barra de Carrasco, Shangrilá, Solymar, Lagomar, El Pinar
      zone      | Costa de Oro         | 289,00 | Neptunia, Salinas, Marindia, Atlántida, Parque del Plata, La Floresta
  `,
  MPE: `
    Lima Metropolitana y Callao: -77.04, -12.06
      Lima, Callao, Ventanilla, Miraflores, San Isidro, San Borja, Santiago de Surco, Surquillo, Barranco, La Molina,
      Ate, San Juan de Lurigancho, San Martín de Porres, Los Olivos, Comas, Independencia, Puente Piedra, Carabayllo,
      Chorrillos, San Juan de Miraflores, Villa María del Triunfo, Villa El Salvador, Lurín, Chosica
      mandatory | Lima Centro            |  9,50 | Cercado de Lima, Breña, La Victoria, Rímac, Lince, Jesús María, Pueblo Libre, Magdalena del Mar
      central   | Lima Moderna           |  9,50 | Miraflores, San Isidro, San Borja, Surquillo, Barranco, San Miguel
      zone      | Surco y La Molina      | 10,50 | Santiago de Surco, La Molina, Monterrico, Chacarilla, Camacho
      zone      | Lima Este              | 11,50 | Ate, Santa Anita, El Agustino, San Luis, Salamanca, Vitarte
      zone      | Lima Norte             | 11,50 | San Martín de Porres, Los Olivos, Independencia, Comas, El Naranjal
      zone      | Callao                 | 11,90 | Bellavista, La Perla, La Punta, Carmen de la Legua, Callao Cercado
      zone      | Lima Sur               | 11,90 | Chorrillos, San Juan de Miraflores, Villa María del Triunfo, Villa El Salvador, Pamplona
      zone      | San Juan de Lurigancho | 12,50 | Zárate, Mangomarca, Canto Grande, Campoy, Las Flores
      zone      | Lima Norte 2           | 14,50 | Puente Piedra, Carabayllo, Santa Rosa, Ancón, Zapallal
      zone      | Ventanilla             | 14,90 | Ventanilla, Mi Perú, Pachacútec, Márquez
      zone      | Lima Este 2            | 16,50 | Chaclacayo, Chosica, Ñaña, Huachipa, Huaycán, Cieneguilla
      zone      | Lima Sur 2             | 16,90 | Lurín, Pachacámac, Punta Hermosa, Punta Negra, San Bartolo
  `,
  MEC: `
    Quito: -78.49, -0.18
      Quito, Sangolquí, Cumbayá, Tumbaco, Calderón, Conocoto, Machachi, Rumiñahui
      mandatory | Quito Centro Norte         | 2,75 | La Mariscal, La Floresta, La Carolina, Iñaquito, Bellavista, González Suárez, Batán Alto
      zone      | Quito Centro Histórico     | 2,90 | Centro Histórico, San Juan, La Tola, Itchimbía, San Marcos, El Dorado
      zone      | Quito Norte                | 3,10 | Cotocollao, El Condado, Ponceano, Kennedy, La Concepción, Carcelén
      zone      | Quito Sur                  | 3,25 | La Magdalena, Villaflora, Solanda, Chillogallo, Quitumbe, Guamaní
      zone      | Valle de Tumbaco           | 3,75 | Cumbayá, Tumbaco, Puembo, Pifo, Nayón
      zone      | Valle de los Chillos       | 3,95 | Sangolquí, San Rafael, Conocoto, Guangopolo, Alangasí
      zone      | Calderón y Mitad del Mundo | 4,25 | Calderón, Carapungo, Llano Chico, Pomasqui, San Antonio de Pichincha
  `,
}
