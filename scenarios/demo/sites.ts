import { perDollar } from '../../domains/currencies/currencies.ts'
import type { DemoSiteId, Site } from '../../domains/demo.ts'
import { CURRENCY_OF, languageOf } from '../../domains/users/sites.ts'

export const SITE_IDS = ['MLA', 'MLB', 'MLM', 'MLC', 'MCO', 'MLU', 'MPE', 'MEC'] as const satisfies DemoSiteId[]

const list = (names: string): string[] => names.trim().split(/,\s+/)

/** What does not follow from the id of a site. */
interface Particulars extends Omit<Site, 'language' | 'currency' | 'buyer' | 'seller'> {
  seller: Omit<Site['seller'], 'nickname'>
}
const PARTICULARS: Record<DemoSiteId, Particulars> = {
  MLA: {
    price: { symbol: '$', perDollar: perDollar('ARS'), step: 1000, less: 1, thousands: '.' },
    phone: '+54 11 5555-0###',
    home: { city: 'Buenos Aires', state: 'AR-C', zip: '14##' },
    neighborhoods: list('Caballito, Villa Crespo, Almagro, Parque Patricios, Belgrano, Flores'),
    elsewhere: [
      { city: 'Rosario', state: 'AR-S', zip: '20##' },
      { city: 'Mendoza', state: 'AR-M', zip: '55##' },
      { city: 'Neuquén', state: 'AR-Q', zip: '83##' },
      { city: 'Bahía Blanca', state: 'AR-B', zip: '80##' },
    ],
    streets: list('Av. de los Jacarandás, Los Teros, Pasaje El Ceibo, Arroyo Manso, Cerro Colorado, Maestra Ibáñez'),
    firstNames: list(`
      Lucía, Martín, Sofía, Nicolás, Agustina, Facundo, Camila, Tomás, Julieta, Matías, Belén, Santiago, Micaela,
      Ezequiel, Rocío, Gonzalo
    `),
    lastNames: list(`
      Benítez, Acosta, Peralta, Ledesma, Quiroga, Sosa, Domínguez, Ferreyra, Maidana, Ojeda, Villalba, Godoy,
      Iñíguez, Cabrera, Paz, Toledo
    `),
    seller: {
      shop: 'Casa Jacarandá',
      level_id: '5_green',
      power_seller_status: 'platinum',
      sales: 18,
      pace: { office: 14, evening: 90, weekend: 210, unansweredShare: 0.01 },
      backlog: 5,
    },
  },
  MLB: {
    price: { symbol: 'R$', perDollar: perDollar('BRL'), step: 10, less: 0.1, thousands: '.' },
    phone: '+55 11 95555-0###',
    home: { city: 'São Paulo', state: 'BR-SP', zip: '04###-0##' },
    neighborhoods: list('Vila Mariana, Pinheiros, Tatuapé, Mooca, Santana, Lapa'),
    elsewhere: [
      { city: 'Belo Horizonte', state: 'BR-MG', zip: '30###-0##' },
      { city: 'Florianópolis', state: 'BR-SC', zip: '880##-0##' },
      { city: 'Recife', state: 'BR-PE', zip: '50###-0##' },
      { city: 'Goiânia', state: 'BR-GO', zip: '740##-0##' },
    ],
    streets: list(`
      Rua dos Ipês-Roxos, Av. Pedra Serena, Rua Maria da Conceição Brandão, Travessa do Sabiá, Rua Água Mansa
    `),
    firstNames: list(`
      Ana, João, Beatriz, Lucas, Mariana, Rafael, Letícia, Thiago, Camila, Gustavo, Larissa, Felipe, Débora,
      Vinícius, Patrícia, Caio
    `),
    lastNames: list(`
      Silva, Souza, Almeida, Conceição, Ribeiro, Moraes, Gonçalves, Teixeira, Barros, Araújo, Nogueira, Leão,
      Batista, Farias, Simões, Prado
    `),
    seller: {
      shop: 'Empório Ipê',
      level_id: '5_green',
      power_seller_status: 'gold',
      sales: 26,
      pace: { office: 26, evening: 170, weekend: 420, unansweredShare: 0.02 },
      backlog: 7,
    },
  },
  MLM: {
    price: { symbol: '$', perDollar: perDollar('MXN'), step: 10, less: 1, thousands: ',' },
    phone: '+52 55 5555 0###',
    home: { city: 'Ciudad de México', state: 'MX-CMX', zip: '06###' },
    neighborhoods: list('la colonia Roma, Coyoacán, la Narvarte, Azcapotzalco, la Del Valle, Iztapalapa'),
    elsewhere: [
      { city: 'Guadalajara', state: 'MX-JAL', zip: '44###' },
      { city: 'Monterrey', state: 'MX-NLE', zip: '64###' },
      { city: 'Mérida', state: 'MX-YUC', zip: '97###' },
      { city: 'Puebla', state: 'MX-PUE', zip: '72###' },
    ],
    streets: list(`
      Calle de los Ahuehuetes, Av. Río Tranquilo, Calle Colibrí, Cerrada del Nopal, Privada Las Bugambilias
    `),
    firstNames: list(`
      María José, Diego, Fernanda, Alejandro, Ximena, Emiliano, Guadalupe, Luis, Daniela, Iván, Itzel, Ricardo,
      Paola, Óscar, Renata, Héctor
    `),
    lastNames: list(`
      Hernández, Cruz, Ramírez, Ibarra, Zamora, Olvera, Nájera, Covarrubias, Muñoz, Tapia, Escobedo, Valdez,
      Rosales, Guzmán, Cervantes, Ponce
    `),
    seller: {
      shop: 'Bazar Bugambilia',
      level_id: '4_light_green',
      power_seller_status: 'silver',
      sales: 9,
      pace: { office: 48, evening: 150, weekend: 580, unansweredShare: 0.03 },
      backlog: 7,
    },
  },
  MLC: {
    price: { symbol: '$', perDollar: perDollar('CLP'), step: 1000, less: 10, thousands: '.' },
    phone: '+56 9 5555 0###',
    home: { city: 'Santiago', state: 'CL-RM', zip: '83#####' },
    neighborhoods: list('Ñuñoa, Providencia, Maipú, La Florida, San Miguel, Estación Central'),
    elsewhere: [
      { city: 'Valparaíso', state: 'CL-VS', zip: '23#####' },
      { city: 'Concepción', state: 'CL-BI', zip: '40#####' },
      { city: 'Antofagasta', state: 'CL-AN', zip: '12#####' },
      { city: 'Puerto Montt', state: 'CL-LL', zip: '54#####' },
    ],
    streets: list('Av. Los Copihues, Pasaje El Queltehue, Calle Cerro Nevado, Los Arrayanes, Camino del Litre'),
    firstNames: list(`
      Constanza, Benjamín, Javiera, Vicente, Francisca, Cristóbal, Catalina, Felipe, Antonia, Joaquín, Macarena,
      Ignacio, Isidora, Rodrigo, Paulina, Álvaro
    `),
    lastNames: list(`
      Muñoz, Riquelme, Sepúlveda, Contreras, Araya, Fuentes, Cárdenas, Vergara, Saavedra, Pizarro, Norambuena,
      Bustos, Leiva, Yáñez, Oyarzún, Tapia
    `),
    seller: {
      shop: 'Tienda Copihue',
      level_id: '5_green',
      power_seller_status: 'gold',
      sales: 12,
      pace: { office: 21, evening: 130, weekend: 580, unansweredShare: 0.02 },
      backlog: 6,
    },
  },
  MCO: {
    price: { symbol: '$', perDollar: perDollar('COP'), step: 1000, less: 100, thousands: '.' },
    phone: '+57 300 555 0###',
    home: { city: 'Bogotá', state: 'CO-DC', zip: '11####' },
    neighborhoods: list('Chapinero, Suba, Kennedy, Usaquén, Teusaquillo, Fontibón'),
    elsewhere: [
      { city: 'Medellín', state: 'CO-ANT', zip: '0500##' },
      { city: 'Cali', state: 'CO-VAC', zip: '7600##' },
      { city: 'Barranquilla', state: 'CO-ATL', zip: '0800##' },
      { city: 'Bucaramanga', state: 'CO-SAN', zip: '6800##' },
    ],
    streets: list(`
      Calle 45B Sur #12-, Carrera 19 Bis #84-, Diagonal 61C #26-, Transversal 33 #9-, Avenida Los Yarumos #40-
    `),
    firstNames: list(`
      Valentina, Andrés, Natalia, Sebastián, Laura, Camilo, Mónica, Jhon, Paula, Mauricio, Yuliana, Óscar,
      Ángela, Julián, Viviana, Germán
    `),
    lastNames: list(`
      Rodríguez, Ospina, Cárdenas, Montoya, Restrepo, Castaño, Pinzón, Beltrán, Ríos, Arango, Quintero, Zuluaga,
      Patiño, Mejía, Lozano, Bermúdez
    `),
    seller: {
      shop: 'Almacén El Yarumo',
      level_id: '4_light_green',
      power_seller_status: null,
      sales: 3,
      pace: { office: 72, evening: 190, weekend: 620, unansweredShare: 0.04 },
      backlog: 8,
    },
  },
  MLU: {
    price: { symbol: '$', perDollar: perDollar('UYU'), step: 100, less: 10, thousands: '.' },
    phone: '+598 99 555 0##',
    home: { city: 'Montevideo', state: 'UY-MO', zip: '11#00' },
    neighborhoods: list('Pocitos, Cordón, La Blanqueada, Malvín, Parque Batlle, el Prado'),
    elsewhere: [
      { city: 'Salto', state: 'UY-SA', zip: '500##' },
      { city: 'Paysandú', state: 'UY-PA', zip: '600##' },
      { city: 'Maldonado', state: 'UY-MA', zip: '200##' },
      { city: 'Rivera', state: 'UY-RV', zip: '400##' },
    ],
    streets: list('Camino de los Horneros, Bulevar del Ombú, Arroyo Sereno, Los Talas, Capitán Iriondo'),
    firstNames: list(`
      Florencia, Rodrigo, Victoria, Bruno, Carolina, Federico, Lorena, Diego, Ximena, Gastón, Noelia, Fabián,
      Jimena, Washington, Pía, Alexis
    `),
    lastNames: list(`
      Olivera, Cardozo, Silvera, Techera, Etcheverry, Bentancur, Núñez, Pintos, Fagúndez, Larrosa, Umpiérrez,
      Viera, Píriz, Sasía, Rocha, Machado
    `),
    seller: {
      shop: 'Rincón del Ombú',
      level_id: '3_yellow',
      power_seller_status: null,
      sales: 0.6,
      pace: { office: 165, evening: 260, weekend: 650, unansweredShare: 0.07 },
      backlog: 9,
    },
  },
  MPE: {
    price: { symbol: 'S/', perDollar: perDollar('PEN'), step: 10, less: 0.1, thousands: ',' },
    phone: '+51 955 550 ###',
    home: { city: 'Lima', state: 'PE-LMA', zip: '150##' },
    neighborhoods: list('Surco, Jesús María, Los Olivos, San Borja, Breña, Pueblo Libre'),
    elsewhere: [
      { city: 'Arequipa', state: 'PE-ARE', zip: '040##' },
      { city: 'Trujillo', state: 'PE-LAL', zip: '130##' },
      { city: 'Cusco', state: 'PE-CUS', zip: '080##' },
      { city: 'Piura', state: 'PE-PIU', zip: '200##' },
    ],
    streets: list('Jr. Las Cantutas, Av. Los Molles, Calle El Huarango, Psje. La Vicuña, Jr. Río Claro'),
    firstNames: list(`
      Milagros, Renzo, Fiorella, Jhonatan, Rosa, Piero, Katherine, Luis, Xiomara, César, Pamela, Edwin, Ángela,
      Marco, Yesenia, Hernán
    `),
    lastNames: list(`
      Quispe, Huamán, Flores, Mamani, Rojas, Chávez, Salazar, Cáceres, Ñahui, Paredes, Vílchez, Tello, Aquino,
      Palomino, Castañeda, Zevallos
    `),
    seller: {
      shop: 'Bodega Cantuta',
      level_id: '5_green',
      power_seller_status: 'silver',
      sales: 5,
      pace: { office: 36, evening: 200, weekend: 330, unansweredShare: 0.02 },
      backlog: 6,
    },
  },
  MEC: {
    price: { symbol: '$', perDollar: 1.1, step: 1, less: 0.01, thousands: ',' },
    phone: '+593 99 555 0###',
    home: { city: 'Quito', state: 'EC-P', zip: '1701##' },
    neighborhoods: list('La Carolina, El Inca, Cotocollao, La Mariscal, Chillogallo, Cumbayá'),
    elsewhere: [
      { city: 'Guayaquil', state: 'EC-G', zip: '0901##' },
      { city: 'Cuenca', state: 'EC-A', zip: '0101##' },
      { city: 'Ambato', state: 'EC-T', zip: '1801##' },
      { city: 'Manta', state: 'EC-M', zip: '1302##' },
    ],
    streets: list('Av. de los Arupos, Calle El Quinde, Pasaje Los Capulíes, Calle Nevado Blanco, Av. Agua Clara'),
    firstNames: list(`
      Doménica, Paúl, Gabriela, Stalin, Karla, Esteban, Verónica, Jefferson, María Belén, Xavier, Tatiana, Byron,
      Estefanía, Darío, Mishell, Iván
    `),
    lastNames: list(`
      Chicaiza, Morales, Guamán, Andrade, Cevallos, Toapanta, Yépez, Zambrano, Proaño, Llerena, Vásquez, Espín,
      Narváez, Cadena, Ordóñez, Tipán
    `),
    seller: {
      shop: 'Comercial Los Arupos',
      level_id: '3_yellow',
      power_seller_status: null,
      sales: 0.9,
      pace: { office: 95, evening: 230, weekend: 640, unansweredShare: 0.05 },
      backlog: 8,
    },
  },
}

export const SITES = Object.fromEntries(
  SITE_IDS.map((id): [DemoSiteId, Site] => {
    const { seller, ...site } = PARTICULARS[id]
    const names = { buyer: `COMPRADOR_${id}`, seller: { ...seller, nickname: `VENDEDOR_${id}` } }
    return [id, { ...site, ...names, language: languageOf(id), currency: CURRENCY_OF[id] }]
  }),
) as Record<DemoSiteId, Site>

/** A typical price in this country. Prices above those of parcels are only rounded. */
export function priceOf({ price }: Site, dollars: number): number {
  const amount = dollars * price.perDollar
  if (dollars > 350) return Number(amount.toPrecision(3))
  const round = Math.max(1, Math.round(amount / price.step)) * price.step
  return Number((round - price.less).toFixed(2))
}
