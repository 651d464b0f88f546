import { type Area, area } from './area.ts'

export const MLC: readonly Area[] = [
  area(
    'Región Metropolitana de Santiago',
    [-70.65, -33.45],
    `
      Santiago, Providencia, Las Condes, Vitacura, Lo Barnechea, Ñuñoa, La Reina, Peñalolén, Macul, San Joaquín,
      San Miguel, Pedro Aguirre Cerda, Lo Espejo, La Cisterna, San Ramón, La Granja, El Bosque, La Florida,
      La Pintana, Puente Alto, San Bernardo, Estación Central, Quinta Normal, Lo Prado, Cerro Navia, Pudahuel,
      Cerrillos, Maipú, Padre Hurtado, Peñaflor, Recoleta, Independencia, Conchalí, Huechuraba, Quilicura, Renca,
      Colina, Lampa, Buin, Paine, Calera de Tango
    `,
    `
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
    `,
  ),
  area(
    'Valparaíso',
    [-71.61, -33.04],
    'Valparaíso, Viña del Mar, Concón, Quilpué, Villa Alemana, Limache',
    `
      mandatory | Valparaíso Plan   | 2790,00 | Barrio Puerto, El Almendral, Barón, Cerro Alegre, Cerro Concepción, Bellavista
      zone      | Valparaíso Cerros | 3190,00 | Playa Ancha, Cerro Los Placeres, Cerro Cordillera, Rodelillo, Placilla, Curauma
      zone      | Viña del Mar      | 3290,00 | Viña Centro, Recreo, Miraflores, Chorrillos, Forestal, Agua Santa
      zone      | Reñaca y Concón   | 3790,00 | Reñaca, Jardín del Mar, Concón, Bosques de Montemar, Santa Julia
      zone      | Marga Marga       | 4290,00 | Quilpué, Villa Alemana, El Belloto, Peñablanca, Limache
    `,
  ),
]
