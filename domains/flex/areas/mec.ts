import { type Area, area } from './area.ts'

export const MEC: readonly Area[] = [
  area(
    'Quito',
    [-78.49, -0.18],
    'Quito, Sangolquí, Cumbayá, Tumbaco, Calderón, Conocoto, Machachi, Rumiñahui',
    `
      mandatory | Quito Centro Norte         | 2,75 | La Mariscal, La Floresta, La Carolina, Iñaquito, Bellavista, González Suárez, Batán Alto
      zone      | Quito Centro Histórico     | 2,90 | Centro Histórico, San Juan, La Tola, Itchimbía, San Marcos, El Dorado
      zone      | Quito Norte                | 3,10 | Cotocollao, El Condado, Ponceano, Kennedy, La Concepción, Carcelén
      zone      | Quito Sur                  | 3,25 | La Magdalena, Villaflora, Solanda, Chillogallo, Quitumbe, Guamaní
      zone      | Valle de Tumbaco           | 3,75 | Cumbayá, Tumbaco, Puembo, Pifo, Nayón
      zone      | Valle de los Chillos       | 3,95 | Sangolquí, San Rafael, Conocoto, Guangopolo, Alangasí
      zone      | Calderón y Mitad del Mundo | 4,25 | Calderón, Carapungo, Llano Chico, Pomasqui, San Antonio de Pichincha
    `,
  ),
]
