import { type Area, area, mandatory, zone } from './area.ts'

export const MEC: readonly Area[] = [
  area(
    'Quito',
    [-78.49, -0.18],
    'Quito, Sangolquí, Cumbayá, Tumbaco, Calderón, Conocoto, Machachi, Rumiñahui',
    mandatory(
      'Quito_Centro_Norte',
      'Quito Centro Norte',
      '2',
      '75',
      'La Mariscal, La Floresta, La Carolina, Iñaquito, Bellavista, González Suárez, Batán Alto',
    ),
    zone(
      'Quito_Centro_Historico',
      'Quito Centro Histórico',
      '2',
      '90',
      'Centro Histórico, San Juan, La Tola, Itchimbía, San Marcos, El Dorado',
    ),
    zone('Quito_Norte', 'Quito Norte', '3', '10', 'Cotocollao, El Condado, Ponceano, Kennedy, La Concepción, Carcelén'),
    zone('Quito_Sur', 'Quito Sur', '3', '25', 'La Magdalena, Villaflora, Solanda, Chillogallo, Quitumbe, Guamaní'),
    zone('Valle_de_Tumbaco', 'Valle de Tumbaco', '3', '75', 'Cumbayá, Tumbaco, Puembo, Pifo, Nayón'),
    zone(
      'Valle_de_los_Chillos',
      'Valle de los Chillos',
      '3',
      '95',
      'Sangolquí, San Rafael, Conocoto, Guangopolo, Alangasí',
    ),
    zone(
      'Calderon_y_Mitad_del_Mundo',
      'Calderón y Mitad del Mundo',
      '4',
      '25',
      'Calderón, Carapungo, Llano Chico, Pomasqui, San Antonio de Pichincha',
    ),
  ),
]
