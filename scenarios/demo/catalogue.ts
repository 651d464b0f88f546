export type Category = 'parcel' | 'bulky' | 'car' | 'motorbike' | 'flat'

export interface Product {
  category: Category
  /** What a question may be about: topics name the tags that they fit. */
  tags: readonly string[]
  dollars: number
  /** Its noun with the article, a bar, the rest of the title. A name in braces is the country's own word. */
  es: string
  pt: string
}

const product = (category: Category, tags: string, dollars: number, es: string, pt: string): Product => ({
  category,
  tags: [...tags.split(' '), ...(category === 'parcel' || category === 'bulky' ? ['goods', category] : ['classified'])],
  dollars,
  es,
  pt,
})

const parcel = (tags: string, dollars: number, es: string, pt: string) => product('parcel', tags, dollars, es, pt)
const bulky = (tags: string, dollars: number, es: string, pt: string) => product('bulky', tags, dollars, es, pt)

export const CATALOGUE: readonly Product[] = [
  parcel(
    'gadget phone colour',
    32,
    '{speaker} | Bluetooth portátil 20 W resistente al agua',
    'a caixa de som | Bluetooth portátil 20 W à prova d’água',
  ),
  parcel(
    'gadget phone colour',
    24,
    '{headphones} | inalámbricos con estuche de carga',
    'o fone de ouvido | sem fio com estojo de carga',
  ),
  parcel(
    'gadget computer',
    19,
    'el teclado | inalámbrico compacto en español con ñ',
    'o teclado | sem fio compacto ABNT2 com ç',
  ),
  parcel(
    'gadget computer colour',
    12,
    'el mouse | vertical ergonómico recargable',
    'o mouse | vertical ergonômico recarregável',
  ),
  parcel(
    'gadget computer measured',
    21,
    'el soporte | plegable de aluminio para {laptop}',
    'o suporte | dobrável de alumínio para notebook',
  ),
  parcel(
    'gadget phone electric',
    15,
    'el cargador | rápido 33 W con cable USB-C',
    'o carregador | turbo 33 W com cabo USB-C',
  ),
  parcel(
    'gadget phone',
    29,
    'la batería | portátil 20000 mAh carga rápida',
    'o carregador | portátil 20000 mAh carga rápida',
  ),
  parcel(
    'gadget phone measured',
    17,
    'el trípode | para celular con aro de luz LED',
    'o tripé | para celular com ring light LED',
  ),
  parcel(
    'gadget phone electric',
    38,
    'la cámara | de seguridad wifi interior 1080p',
    'a câmera | de segurança wi-fi interna 1080p',
  ),
  parcel(
    'gadget phone colour',
    34,
    'el reloj | inteligente deportivo con podómetro',
    'o relógio | inteligente esportivo com pedômetro',
  ),
  parcel(
    'gadget computer',
    27,
    'el hub | USB-C 7 en 1 con lector de tarjetas',
    'o hub | USB-C 7 em 1 com leitor de cartões',
  ),
  parcel(
    'kitchen electric colour',
    33,
    '{kettle} | 1,7 L acero con corte automático',
    'a chaleira elétrica | 1,7 L inox com desligamento automático',
  ),
  parcel(
    'kitchen electric',
    42,
    'la licuadora | de vaso 1,5 L 600 W 5 velocidades',
    'o liquidificador | 1,5 L 600 W 5 velocidades',
  ),
  parcel(
    'kitchen measured material',
    26,
    'la sartén | de hierro 28 cm con mango de madera',
    'a frigideira | de ferro 28 cm com cabo de madeira',
  ),
  parcel(
    'kitchen colour material',
    18,
    'el termo | de acero inoxidable 1 L doble pared',
    'a garrafa térmica | de aço 1 L com bico',
  ),
  parcel(
    'kitchen measured material',
    14,
    'el set | de 6 frascos de vidrio herméticos',
    'o kit | 6 potes de vidro herméticos',
  ),
  parcel('kitchen', 22, 'la balanza | digital de cocina 5 kg', 'a balança | digital de cozinha 5 kg'),
  parcel(
    'home measured colour material',
    31,
    '{quilt} | reversible con dos fundas de almohada',
    'o edredom | dupla face casal com porta-travesseiros',
  ),
  parcel(
    'home measured material',
    20,
    'la almohada | viscoelástica cervical',
    'o travesseiro | viscoelástico cervical',
  ),
  parcel(
    'home electric measured colour',
    23,
    'la lámpara | de pie nórdica con pantalla de lino',
    'a luminária | de piso escandinava com cúpula de linho',
  ),
  parcel(
    'home measured colour',
    16,
    'la cortina | blackout de 2 paños con argollas',
    'a cortina | blackout 2 folhas com ilhós',
  ),
  parcel(
    'home measured colour material',
    28,
    'la alfombra | de yute trenzada a mano',
    'o tapete | de juta trançado à mão',
  ),
  parcel(
    'home measured material',
    25,
    'el organizador | de tela con tapa x3',
    'o organizador | de tecido com tampa kit 3',
  ),
  parcel(
    'clothing colour material sized',
    13,
    '{tshirt} | de algodón peinado unisex cuello redondo',
    'a camiseta | básica de algodão penteado unissex',
  ),
  parcel(
    'clothing colour sized',
    48,
    '{jacket} | rompeviento con capucha desmontable',
    'a jaqueta | corta-vento com capuz removível',
  ),
  parcel(
    'clothing colour sized',
    35,
    '{jeans} | recto elastizado tiro medio',
    'a calça jeans | reta com elastano cintura média',
  ),
  parcel(
    'clothing colour material sized',
    29,
    '{hoodie} | canguro con interior afelpado',
    'o moletom | canguru flanelado com bolso',
  ),
  parcel(
    'clothing colour',
    37,
    '{backpack} | antirrobo impermeable 25 L puerto USB',
    'a mochila | antifurto impermeável 25 L com USB',
  ),
  parcel(
    'shoes colour sized',
    52,
    '{sneakers} | de running con plantilla acolchada',
    'o tênis | de corrida leve com palmilha macia',
  ),
  parcel(
    'shoes colour sized material',
    58,
    'los botines | de cuero con suela de goma',
    'a bota | de couro cano curto com solado de borracha',
  ),
  parcel('sport colour measured', 19, 'el mat | de yoga 8 mm antideslizante', 'o tapete de ioga | 8 mm antiderrapante'),
  parcel('sport material', 44, 'el juego | de mancuernas regulables 10 kg', 'o kit | de halteres ajustáveis 10 kg'),
  parcel(
    'sport colour',
    27,
    '{ball} | de fútbol n.º 5 con costura a mano',
    'a bola | de futebol n.º 5 costurada à mão',
  ),
  parcel(
    'sport',
    18,
    'la luz | delantera y trasera para bicicleta USB',
    'a luz | dianteira e traseira para bicicleta USB',
  ),
  parcel(
    'sport colour measured',
    56,
    '{tent} | para 4 personas con sobretecho',
    'a barraca | de camping 4 pessoas com sobreteto',
  ),
  parcel(
    'carpart',
    41,
    'el juego | de {brakepads} delanteras cerámicas',
    'o jogo | de pastilhas de freio dianteiras cerâmicas',
  ),
  parcel(
    'carpart',
    17,
    'el par | de escobillas limpiaparabrisas flexibles',
    'o par | de palhetas limpador de para-brisa silicone',
  ),
  parcel('carpart', 28, 'el kit | de luces LED H4 9000 lúmenes', 'o kit | de lâmpadas LED H4 9000 lúmens'),
  parcel('carpart measured', 24, 'el organizador | plegable para {trunk}', 'o organizador | dobrável para porta-malas'),
  parcel('carpart', 39, 'el compresor | de aire portátil 12 V digital', 'o compressor | de ar portátil 12 V digital'),
  parcel(
    'carpart colour',
    46,
    'el juego | de cubreasientos universales x9',
    'o jogo | de capas de banco universais 9 peças',
  ),

  bulky(
    'furniture measured colour material',
    190,
    '{sofa} | de tres cuerpos tapizado en chenille',
    'o sofá | de três lugares revestido em chenille',
  ),
  bulky(
    'furniture measured colour material',
    95,
    'el escritorio | con cajones y repisa melamina',
    'a escrivaninha | com gavetas e prateleira MDF',
  ),
  bulky(
    'furniture measured material',
    170,
    '{wardrobe} | de 4 puertas con cajonera',
    'o guarda-roupa | 4 portas com gaveteiro',
  ),
  bulky(
    'furniture measured material',
    120,
    'la mesa | de comedor de madera maciza 1,60 m',
    'a mesa | de jantar de madeira maciça 1,60 m',
  ),
  bulky('sport measured', 210, 'la bicicleta | {wheel} 29 de 21 velocidades', 'a bicicleta | aro 29 de 21 marchas'),
  bulky(
    'sport electric measured',
    330,
    '{treadmill} | plegable con monitor y pulsómetro',
    'a esteira | de corrida dobrável com monitor',
  ),
  bulky('carpart', 88, '{tyre} | 195/65 R15 para ciudad y ruta', 'o pneu | 195/65 R15 para cidade e estrada'),

  product(
    'car',
    'vehicle',
    9400,
    '{car} | sedán 1.6 {fuel} 2016 con 78.000 km',
    'o carro | sedã 1.6 flex 2016 com 78.000 km',
  ),
  product(
    'car',
    'vehicle',
    11800,
    '{car} | hatchback 1.4 5 puertas 2019 único dueño',
    'o carro | hatch 1.4 5 portas 2019 único dono',
  ),
  product(
    'car',
    'vehicle',
    21500,
    'la camioneta | 4x4 doble cabina diésel 2018',
    'a picape | 4x4 cabine dupla diesel 2018',
  ),
  product(
    'car',
    'vehicle',
    13900,
    'el furgón | utilitario 1.6 {fuel} 2018 caja cerrada',
    'o furgão | utilitário 1.6 2018 baú fechado',
  ),
  product(
    'motorbike',
    'vehicle',
    1450,
    'la moto | 150 cc urbana 2019 con 9.500 km',
    'a moto | 150 cc urbana 2019 com 9.500 km',
  ),
  product('motorbike', 'vehicle', 3900, 'la moto | 300 cc doble propósito 2018', 'a moto | 300 cc trail 2018 revisada'),
  product(
    'motorbike',
    'vehicle',
    980,
    'el scooter | 110 cc automático 2019 al día',
    'a scooter | 110 cc automática 2019 em dia',
  ),
  product(
    'flat',
    'flat',
    430,
    '{flat} | 2 ambientes luminoso en {rent}',
    'o apartamento | 1 quarto iluminado para alugar',
  ),
  product(
    'flat',
    'flat',
    640,
    '{flat} | de 2 dormitorios con balcón en {rent}',
    'o apartamento | 2 quartos com sacada para alugar',
  ),
  product(
    'flat',
    'flat',
    370,
    '{studio} | con muebles, a estrenar, en {rent}',
    'o estúdio | mobiliado novo para alugar',
  ),
]
