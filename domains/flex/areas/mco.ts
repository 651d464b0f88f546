import { type Area, area } from './area.ts'

export const MCO: readonly Area[] = [
  area(
    'Bogotá',
    [-74.08, 4.65],
    'Bogotá, Bogotá D.C., Soacha, Chía, Cota, Funza, Mosquera, Madrid, Cajicá, Zipaquirá, La Calera, Sibaté',
    `
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
    `,
  ),
  area(
    'Medellín',
    [-75.57, 6.24],
    'Medellín, Envigado, Itagüí, Sabaneta, Bello, La Estrella, Copacabana, Caldas, Girardota',
    `
      mandatory | Comuna 10      |  8500,00 | La Candelaria, Villanueva, Prado, Boston, San Benito, Las Palmas
      zone      | Comuna 11      |  8900,00 | Laureles, Estadio, Conquistadores, Carlos E. Restrepo, Suramericana, Florida Nueva
      zone      | Comuna 14      |  8900,00 | El Poblado, Manila, Castropol, Provenza, Los Balsos, El Tesoro
      zone      | Comuna 16      |  9500,00 | Belén, La Mota, Rosales, Fátima, Loma de los Bernal
      zone      | Medellín Norte |  9900,00 | Aranjuez, Castilla, Robledo, Manrique, Doce de Octubre, Popular
      zone      | Aburrá Sur     | 11500,00 | Envigado, Itagüí, Sabaneta, La Estrella, Caldas
      zone      | Aburrá Norte   | 12500,00 | Bello, Niquía, Copacabana, Girardota, Cabañas
    `,
  ),
  area(
    'Cali',
    [-76.53, 3.44],
    'Cali, Santiago de Cali, Yumbo, Jamundí, Palmira, Candelaria',
    `
      mandatory | Cali Centro          |  8500,00 | San Antonio, El Peñón, Granada, San Nicolás, Centenario, Santa Rosa
      zone      | Cali Norte           |  8900,00 | La Flora, Chipichape, Prados del Norte, Versalles, Vipasa, Calima
      zone      | Cali Sur             |  9500,00 | Ciudad Jardín, El Ingenio, Valle del Lili, Limonar, Meléndez, Caney
      zone      | Cali Oriente         |  9900,00 | Aguablanca, Ciudad Córdoba, Mojica, Alfonso López, Villa del Sur
      zone      | Yumbo y Palmira      | 13500,00 | Yumbo, Acopi, Palmira, Rozo
      zone      | Jamundí y Candelaria | 14500,00 | Jamundí, Potrerito, Villagorgona, Poblado Campestre
    `,
  ),
]
