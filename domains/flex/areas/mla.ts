import { type Area, area } from './area.ts'

export const MLA: readonly Area[] = [
  area(
    'Área Metropolitana de Buenos Aires',
    [-58.43, -34.61],
    `
      Buenos Aires, Ciudad Autónoma de Buenos Aires, Capital Federal, Avellaneda, Lanús, Lomas de Zamora, Quilmes,
      Berazategui, Florencio Varela, Almirante Brown, Esteban Echeverría, Ezeiza, Vicente López, San Isidro,
      San Fernando, Tigre, Pilar, Escobar, Malvinas Argentinas, José C. Paz, San Miguel, General San Martín,
      Tres de Febrero, Hurlingham, Ituzaingó, Morón, La Matanza, Merlo, Moreno, General Rodríguez, La Plata, Berisso,
      Ensenada
    `,
    `
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
    `,
  ),
  area(
    'Córdoba',
    [-64.19, -31.42],
    `
      Córdoba, Villa Allende, Unquillo, Mendiolaza, Saldán, La Calera, Malagueño, Villa Carlos Paz, Río Ceballos,
      Juárez Celman
    `,
    `
      mandatory | Córdoba Centro | 3990,00 | Centro, Nueva Córdoba, Alberdi, Güemes, Alta Córdoba, General Paz, Cofico
      zone      | Córdoba Norte  | 4590,00 | Cerro de las Rosas, Urca, Villa Belgrano, Argüello, Villa Cabrera, Los Boulevares
      zone      | Córdoba Sur    | 4590,00 | Jardín, Villa El Libertador, Parque Capital, Ciudad Universitaria, Inaudi, Villa Eucarística
      zone      | Córdoba Este   | 4790,00 | San Vicente, Yofre Norte, Pueyrredón, Juniors, Maipú, Ferreyra
      zone      | Córdoba Oeste  | 4790,00 | Alto Alberdi, Los Plátanos, Las Palmas, San Salvador, Villa Siburu
      zone      | Sierras Chicas | 6490,00 | Villa Allende, Saldán, Mendiolaza, Unquillo, Río Ceballos, La Calera
      zone      | Punilla Sur    | 7890,00 | Malagueño, Villa Carlos Paz, San Antonio de Arredondo, Icho Cruz
    `,
  ),
]
