import { type Area, area } from './area.ts'

export const MLM: readonly Area[] = [
  area(
    'Zona Metropolitana del Valle de México',
    [-99.13, 19.43],
    `
      Ciudad de México, CDMX, Nezahualcóyotl, Naucalpan, Naucalpan de Juárez, Tlalnepantla, Tlalnepantla de Baz,
      Ecatepec, Ecatepec de Morelos, Atizapán de Zaragoza, Huixquilucan, Cuautitlán Izcalli, Cuautitlán, Coacalco,
      Tultitlán, Tecámac, Nicolás Romero, Chimalhuacán, Los Reyes La Paz, Ixtapaluca, Valle de Chalco, Chalco,
      Texcoco, Chicoloapan
    `,
    `
      mandatory | CDMX Centro           | 59,00 | Centro Histórico, Juárez, Roma Norte, Roma Sur, Condesa, Doctores, Santa María la Ribera, Tlatelolco
      central   | CDMX Poniente         | 59,00 | Polanco, Anzures, Lomas de Chapultepec, Tacubaya, Escandón, San Miguel Chapultepec, Granada
      zone      | CDMX Benito Juárez    | 64,00 | Del Valle, Narvarte, Nápoles, Portales, Mixcoac, Álamos, Xoco
      zone      | CDMX Norte            | 69,00 | Azcapotzalco, Lindavista, Clavería, Vallejo, La Villa, San Juan de Aragón
      zone      | CDMX Oriente          | 69,00 | Iztacalco, Iztapalapa, Venustiano Carranza, Jardín Balbuena, Agrícola Oriental, Moctezuma
      zone      | CDMX Sur              | 74,00 | Coyoacán, San Ángel, Pedregal de San Ángel, Tlalpan, Villa Coapa, Jardines del Pedregal
      zone      | Santa Fe y Cuajimalpa | 79,00 | Santa Fe, Cuajimalpa, Bosques de las Lomas, Interlomas, Contadero
      zone      | Edomex Norponiente    | 84,00 | Naucalpan, Ciudad Satélite, Tlalnepantla, Atizapán de Zaragoza, Lomas Verdes, Huixquilucan
      zone      | Edomex Oriente        | 84,00 | Nezahualcóyotl, Chimalhuacán, Los Reyes La Paz, Benito Juárez, Ciudad Lago
      zone      | Extremo Sur           | 89,00 | Xochimilco, Tláhuac, Milpa Alta, Tepepan, San Pedro Mártir
      zone      | Edomex Norte          | 95,00 | Ecatepec, Coacalco, Tultitlán, Cuautitlán, Cuautitlán Izcalli, Tecámac, Nicolás Romero
      zone      | Edomex Suroriente     | 99,00 | Ixtapaluca, Valle de Chalco, Chalco, Texcoco, Chicoloapan
    `,
  ),
  area(
    'Mérida',
    [-89.62, 20.97],
    'Mérida, Progreso, Kanasín, Umán, Conkal, Ucú',
    `
      mandatory | Mérida Centro        | 49,00 | Centro, Santiago, Santa Ana, García Ginerés, Itzimná, Paseo de Montejo
      zone      | Mérida Norte         | 55,00 | Montebello, Altabrisa, San Ramón Norte, Francisco de Montejo, Cholul, Temozón Norte
      zone      | Mérida Poniente      | 59,00 | Ciudad Caucel, Chuburná, Las Américas, Juan Pablo II, Pensiones
      zone      | Mérida Oriente y Sur | 59,00 | Pacabtún, Fidel Velázquez, Vergel, Kukulcán, Ciudad Industrial, Kanasín
      zone      | Costa y Periferia    | 85,00 | Progreso, Chicxulub Puerto, Umán, Conkal, Ucú
    `,
  ),
]
