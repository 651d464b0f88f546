import type { Category, Product } from '../../domains/demo.ts'

/** A product with the number of its leaf category. */
interface SoldProduct extends Product {
  leaf: number
}

/** Category, leaf category, dollars, tags, title in Spanish and in Portuguese. */
const PRODUCTS = `
  parcel    · 7001 ·    32 · gadget phone colour                · {speaker} | Bluetooth portátil 20 W resistente al agua · a caixa de som | Bluetooth portátil 20 W à prova d’água
  parcel    · 7002 ·    24 · gadget phone colour                · {headphones} | inalámbricos con estuche de carga · o fone de ouvido | sem fio com estojo de carga
  parcel    · 7007 ·    19 · gadget computer                    · el teclado | inalámbrico compacto en español con ñ · o teclado | sem fio compacto ABNT2 com ç
  parcel    · 7007 ·    12 · gadget computer colour             · el mouse | vertical ergonómico recargable · o mouse | vertical ergonômico recarregável
  parcel    · 7008 ·    21 · gadget computer measured           · el soporte | plegable de aluminio para {laptop} · o suporte | dobrável de alumínio para notebook
  parcel    · 7005 ·    15 · gadget phone electric              · el cargador | rápido 33 W con cable USB-C · o carregador | turbo 33 W com cabo USB-C
  parcel    · 7005 ·    29 · gadget phone                       · la batería | portátil 20000 mAh carga rápida · o carregador | portátil 20000 mAh carga rápida
  parcel    · 7006 ·    17 · gadget phone measured              · el trípode | para celular con aro de luz LED · o tripé | para celular com ring light LED
  parcel    · 7003 ·    38 · gadget phone electric              · la cámara | de seguridad wifi interior 1080p · a câmera | de segurança wi-fi interna 1080p
  parcel    · 7004 ·    34 · gadget phone colour                · el reloj | inteligente deportivo con podómetro · o relógio | inteligente esportivo com pedômetro
  parcel    · 7008 ·    27 · gadget computer                    · el hub | USB-C 7 en 1 con lector de tarjetas · o hub | USB-C 7 em 1 com leitor de cartões
  parcel    · 7009 ·    33 · kitchen electric colour            · {kettle} | 1,7 L acero con corte automático · a chaleira elétrica | 1,7 L inox com desligamento automático
  parcel    · 7009 ·    42 · kitchen electric                   · la licuadora | de vaso 1,5 L 600 W 5 velocidades · o liquidificador | 1,5 L 600 W 5 velocidades
  parcel    · 7010 ·    26 · kitchen measured material          · la sartén | de hierro 28 cm con mango de madera · a frigideira | de ferro 28 cm com cabo de madeira
  parcel    · 7010 ·    18 · kitchen colour material            · el termo | de acero inoxidable 1 L doble pared · a garrafa térmica | de aço 1 L com bico
  parcel    · 7010 ·    14 · kitchen measured material          · el set | de 6 frascos de vidrio herméticos · o kit | 6 potes de vidro herméticos
  parcel    · 7009 ·    22 · kitchen                            · la balanza | digital de cocina 5 kg · a balança | digital de cozinha 5 kg
  parcel    · 7011 ·    31 · home measured colour material      · {quilt} | reversible con dos fundas de almohada · o edredom | dupla face casal com porta-travesseiros
  parcel    · 7011 ·    20 · home measured material             · la almohada | viscoelástica cervical · o travesseiro | viscoelástico cervical
  parcel    · 7012 ·    23 · home electric measured colour      · la lámpara | de pie nórdica con pantalla de lino · a luminária | de piso escandinava com cúpula de linho
  parcel    · 7013 ·    16 · home measured colour               · la cortina | blackout de 2 paños con argollas · a cortina | blackout 2 folhas com ilhós
  parcel    · 7013 ·    28 · home measured colour material      · la alfombra | de yute trenzada a mano · o tapete | de juta trançado à mão
  parcel    · 7014 ·    25 · home measured material             · el organizador | de tela con tapa x3 · o organizador | de tecido com tampa kit 3
  parcel    · 7016 ·    13 · clothing colour material sized     · {tshirt} | de algodón peinado unisex cuello redondo · a camiseta | básica de algodão penteado unissex
  parcel    · 7017 ·    48 · clothing colour sized              · {jacket} | rompeviento con capucha desmontable · a jaqueta | corta-vento com capuz removível
  parcel    · 7018 ·    35 · clothing colour sized              · {jeans} | recto elastizado tiro medio · a calça jeans | reta com elastano cintura média
  parcel    · 7016 ·    29 · clothing colour material sized     · {hoodie} | canguro con interior afelpado · o moletom | canguru flanelado com bolso
  parcel    · 7019 ·    37 · clothing colour                    · {backpack} | antirrobo impermeable 25 L puerto USB · a mochila | antifurto impermeável 25 L com USB
  parcel    · 7020 ·    52 · shoes colour sized                 · {sneakers} | de running con plantilla acolchada · o tênis | de corrida leve com palmilha macia
  parcel    · 7020 ·    58 · shoes colour sized material        · los botines | de cuero con suela de goma · a bota | de couro cano curto com solado de borracha
  parcel    · 7021 ·    19 · sport colour measured              · el mat | de yoga 8 mm antideslizante · o tapete de ioga | 8 mm antiderrapante
  parcel    · 7021 ·    44 · sport material                     · el juego | de mancuernas regulables 10 kg · o kit | de halteres ajustáveis 10 kg
  parcel    · 7022 ·    27 · sport colour                       · {ball} | de fútbol n.º 5 con costura a mano · a bola | de futebol n.º 5 costurada à mão
  parcel    · 7022 ·    18 · sport                              · la luz | delantera y trasera para bicicleta USB · a luz | dianteira e traseira para bicicleta USB
  parcel    · 7022 ·    56 · sport colour measured              · {tent} | para 4 personas con sobretecho · a barraca | de camping 4 pessoas com sobreteto
  parcel    · 7023 ·    41 · carpart                            · el juego | de {brakepads} delanteras cerámicas · o jogo | de pastilhas de freio dianteiras cerâmicas
  parcel    · 7023 ·    17 · carpart                            · el par | de escobillas limpiaparabrisas flexibles · o par | de palhetas limpador de para-brisa silicone
  parcel    · 7023 ·    28 · carpart                            · el kit | de luces LED H4 9000 lúmenes · o kit | de lâmpadas LED H4 9000 lúmens
  parcel    · 7023 ·    24 · carpart measured                   · el organizador | plegable para {trunk} · o organizador | dobrável para porta-malas
  parcel    · 7023 ·    39 · carpart                            · el compresor | de aire portátil 12 V digital · o compressor | de ar portátil 12 V digital
  parcel    · 7023 ·    46 · carpart colour                     · el juego | de cubreasientos universales x9 · o jogo | de capas de banco universais 9 peças
  bulky     · 7015 ·   190 · furniture measured colour material · {sofa} | de tres cuerpos tapizado en chenille · o sofá | de três lugares revestido em chenille
  bulky     · 7015 ·    95 · furniture measured colour material · el escritorio | con cajones y repisa melamina · a escrivaninha | com gavetas e prateleira MDF
  bulky     · 7015 ·   170 · furniture measured material        · {wardrobe} | de 4 puertas con cajonera · o guarda-roupa | 4 portas com gaveteiro
  bulky     · 7015 ·   120 · furniture measured material        · la mesa | de comedor de madera maciza 1,60 m · a mesa | de jantar de madeira maciça 1,60 m
  bulky     · 7022 ·   210 · sport measured                     · la bicicleta | {wheel} 29 de 21 velocidades · a bicicleta | aro 29 de 21 marchas
  bulky     · 7021 ·   330 · sport electric measured            · {treadmill} | plegable con monitor y pulsómetro · a esteira | de corrida dobrável com monitor
  bulky     · 7023 ·    88 · carpart                            · {tyre} | 195/65 R15 para ciudad y ruta · o pneu | 195/65 R15 para cidade e estrada
  car       · 7024 ·  9400 · vehicle                            · {car} | sedán 1.6 {fuel} 2016 con 78.000 km · o carro | sedã 1.6 flex 2016 com 78.000 km
  car       · 7024 · 11800 · vehicle                            · {car} | hatchback 1.4 5 puertas 2019 único dueño · o carro | hatch 1.4 5 portas 2019 único dono
  car       · 7024 · 21500 · vehicle                            · la camioneta | 4x4 doble cabina diésel 2018 · a picape | 4x4 cabine dupla diesel 2018
  car       · 7024 · 13900 · vehicle                            · el furgón | utilitario 1.6 {fuel} 2018 caja cerrada · o furgão | utilitário 1.6 2018 baú fechado
  motorbike · 7025 ·  1450 · vehicle                            · la moto | 150 cc urbana 2019 con 9.500 km · a moto | 150 cc urbana 2019 com 9.500 km
  motorbike · 7025 ·  3900 · vehicle                            · la moto | 300 cc doble propósito 2018 · a moto | 300 cc trail 2018 revisada
  motorbike · 7025 ·   980 · vehicle                            · el scooter | 110 cc automático 2019 al día · a scooter | 110 cc automática 2019 em dia
  flat      · 7025 ·   430 · flat                               · {flat} | 2 ambientes luminoso en {rent} · o apartamento | 1 quarto iluminado para alugar
  flat      · 7026 ·   640 · flat                               · {flat} | de 2 dormitorios con balcón en {rent} · o apartamento | 2 quartos com sacada para alugar
  flat      · 7026 ·   370 · flat                               · {studio} | con muebles, a estrenar, en {rent} · o estúdio | mobiliado novo para alugar
`

export const CATALOGUE: readonly SoldProduct[] = PRODUCTS.trim().split('\n').map(readProduct)

function readProduct(line: string): SoldProduct {
  const parts = line.split(' · ').map((part) => part.trim())
  const [category, leaf, dollars, tags, es, pt] = parts as [Category, string, string, string, string, string]
  const kind = category === 'parcel' || category === 'bulky' ? ['goods', category] : ['classified']
  return { leaf: Number(leaf), category, tags: [...tags.split(' '), ...kind], dollars: Number(dollars), es, pt }
}
