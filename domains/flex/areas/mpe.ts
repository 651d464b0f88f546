import { type Area, area } from './area.ts'

export const MPE: readonly Area[] = [
  area(
    'Lima Metropolitana y Callao',
    [-77.04, -12.06],
    `
      Lima, Callao, Ventanilla, Miraflores, San Isidro, San Borja, Santiago de Surco, Surquillo, Barranco, La Molina,
      Ate, San Juan de Lurigancho, San Martín de Porres, Los Olivos, Comas, Independencia, Puente Piedra, Carabayllo,
      Chorrillos, San Juan de Miraflores, Villa María del Triunfo, Villa El Salvador, Lurín, Chosica
    `,
    `
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
  ),
]
