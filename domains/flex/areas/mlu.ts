import { type Area, area } from './area.ts'

export const MLU: readonly Area[] = [
  area(
    'Montevideo',
    [-56.17, -34.89],
    'Montevideo, Santiago Vázquez, Paso de la Arena, Abayubá',
    `
      mandatory | Montevideo Centro    | 169,00 | Centro, Ciudad Vieja, Cordón, Barrio Sur, Palermo, Parque Rodó, Aguada, Tres Cruces
      zone      | Montevideo Costa     | 179,00 | Punta Carretas, Pocitos, Buceo, Malvín, Punta Gorda, Carrasco, Parque Batlle
      zone      | Montevideo Norte     | 199,00 | La Blanqueada, La Unión, Cerrito, Aires Puros, Villa Española, Maroñas
      zone      | Montevideo Oeste     | 209,00 | Prado, Belvedere, La Teja, Paso Molino, Capurro, Sayago
      zone      | Montevideo Periferia | 239,00 | Cerro, Colón, Peñarol, Paso de la Arena, Manga, Piedras Blancas
    `,
  ),
  area(
    'Canelones',
    [-56.28, -34.53],
    `
      Canelones, Ciudad de la Costa, Las Piedras, La Paz, Progreso, Pando, Barros Blancos, Paso Carrasco, Atlántida,
      Salinas, Toledo, Joaquín Suárez, Santa Lucía
    `,
    `
      mandatory | Canelones Capital    | 219,00 | Canelones, Santa Lucía, Aguas Corrientes, Los Cerrillos
      zone      | Las Piedras y La Paz | 239,00 | Las Piedras, La Paz, Progreso, El Colorado, 18 de Mayo
      zone      | Ruta 8               | 259,00 | Barros Blancos, Pando, Joaquín Suárez, Toledo
      zone      | Ciudad de la Costa   | 269,00 | Paso Carrasco, Barra de Carrasco, Shangrilá, Solymar, Lagomar, El Pinar
      zone      | Costa de Oro         | 289,00 | Neptunia, Salinas, Marindia, Atlántida, Parque del Plata, La Floresta
    `,
  ),
]
