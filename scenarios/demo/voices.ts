import type { DemoSiteId } from '../../domains/demo.ts'
import type { Voice, Words } from '../../domains/shared/demo/wording.ts'

// The three forms of the second person that shops and buyers use.
const VOS: Words = words(
  'tenes tenés, haces hacés, aceptas aceptás, dejas dejás, compras comprás, usas usás',
  'necesitas necesitás, ves ves, compra comprá, elige elegí, manda mandanos, pasa pasanos',
  'te te, tu tu, avisa avisanos, das das, escribe escribime',
)
const TU: Words = words(
  'tenes tienes, haces haces, aceptas aceptas, dejas dejas, compras compras, usas usas',
  'necesitas necesitas, ves ves, compra compra, elige elige, manda mándanos, pasa pásanos',
  'te te, tu tu, avisa avísanos, das das, escribe escríbeme',
)
const USTED: Words = words(
  'tenes tiene, haces hace, aceptas acepta, dejas deja, compras compra, usas usa',
  'necesitas necesita, ves ve, compra compre, elige elija, manda envíenos, pasa regálenos',
  'te le, tu su, avisa avísenos, das da, escribe escríbame',
)

function words(...lines: string[]): Words {
  return Object.fromEntries(
    lines
      .flatMap((line) => line.split(', '))
      .map((entry) => [entry.slice(0, entry.indexOf(' ')), entry.slice(entry.indexOf(' ') + 1)]),
  )
}

const phrases = (text: string): string[] => text.trim().split(/\s+\/\s+/)

export const VOICES: Record<DemoSiteId, Voice> = {
  MLA: {
    words: {
      ...VOS,
      ...words(
        'tshirt la remera, jacket la campera, hoodie el buzo, jeans el jean, sneakers las zapatillas, backpack la mochila',
        'speaker el parlante, headphones los auriculares, laptop notebook, kettle la pava eléctrica, quilt el acolchado',
        'sofa el sillón, wardrobe el placard, tent la carpa, ball la pelota, treadmill la cinta de correr, wheel rodado',
        'tyre la cubierta, car el auto, flat el departamento, studio el monoambiente, trunk el baúl, fuel nafta, rent alquiler',
        'brakepads pastillas de freno, talle talle, un_talle un talle, sizes M|L|XL|S, shoes 37|38|39|40|41|42|43, volts 220 V',
        'invoice factura A, receipt factura B, taxid CUIT, instalments cuotas sin interés, cash efectivo, inspection la VTV',
        'swap permuta, expenses las expensas, guarantee garantía propietaria, garage cochera, mail el correo',
      ),
    },
    daytime: ['buen día', 'buenas tardes', 'buenas noches'],
    greetings: phrases(`
      Hola! / Hola, {daytime}. / Buenas! / Hola, ¿cómo va? / Hola, / {Daytime}, / Hola! Consulta: / Buenas,
    `),
    thanks: phrases(`
      Gracias! / Muchas gracias / Mil gracias! / Desde ya, gracias. / Gracias 🙌 / Saludos! /
      Espero tu respuesta, gracias!
    `),
    openers: phrases('¡Hola! ¿Cómo estás? / Hola, {daytime}. / ¡Hola! Gracias por tu consulta. / Buenas! / ¡Hola!'),
    closers: phrases(`
      Saludos, {shop}. / ¡Saludos! / Cualquier duda, acá estamos. {shop} / Que tengas lindo día 😊 /
      ¡Esperamos tu compra!
    `),
  },
  MLB: {
    words: words('sizes P|M|G|GG, shoes 36|37|38|39|40|41|42, volts bivolt'),
    daytime: ['bom dia', 'boa tarde', 'boa noite'],
    greetings: phrases(`
      Olá! / Oi, / {Daytime}! / Olá, {daytime}. / Oi, tudo bem? / Opa, / {Daytime}, tudo bem? / Olá,
    `),
    thanks: phrases('Obrigado! / Obrigada! / Valeu! / Desde já agradeço. / Aguardo retorno. / Grato. / Obg 🙏 / Abs'),
    openers: phrases(`
      Olá, {daytime}! / Olá! Tudo bem? / Oi, agradecemos o contato. / {Daytime}! Obrigado pelo interesse. / Olá!
    `),
    closers: phrases(`
      Att., {shop}. / Ficamos no aguardo da sua compra! / Qualquer dúvida, estamos à disposição. {shop} / Abraços 😊 /
      Boas compras!
    `),
  },
  MLM: {
    words: {
      ...TU,
      ...words(
        'tshirt la playera, jacket la chamarra, hoodie la sudadera, jeans el pantalón de mezclilla, sneakers los tenis',
        'backpack la mochila, speaker la bocina, headphones los audífonos, laptop laptop, kettle la tetera eléctrica',
        'quilt el edredón, sofa el sofá, wardrobe el ropero, tent la casa de campaña, ball el balón, treadmill la caminadora',
        'wheel rodada, tyre la llanta, car el auto, flat el departamento, studio el estudio, trunk la cajuela, fuel gasolina',
        'rent renta, brakepads balatas, talle talla, un_talle una talla, sizes CH|M|G|XG, shoes 24|25|25.5|26|27|28, volts 127 V',
        'invoice factura, receipt ticket, taxid RFC, instalments meses sin intereses, cash efectivo, inspection la verificación',
        'swap cambio, expenses el mantenimiento, guarantee aval o póliza jurídica, garage estacionamiento, mail paquetería',
      ),
    },
    daytime: ['buenos días', 'buenas tardes', 'buenas noches'],
    greetings: phrases(`
      Hola! / Hola, {daytime}. / ¡Qué tal! / {Daytime}, / Hola, una pregunta: / Hola amigo, / {Daytime}. / Disculpa,
    `),
    thanks: phrases(`
      Gracias! / Muchas gracias. / Saludos! / De antemano gracias. / Quedo al pendiente 👍🏽 / Gracias, saludos.
    `),
    openers: phrases(`
      ¡Hola, {daytime}! / Hola, gracias por tu interés. / ¡Qué tal! / Hola, con gusto te apoyamos. / ¡Hola!
    `),
    closers: phrases(`
      Quedamos a tus órdenes. {shop} / ¡Saludos! / Estamos para servirte 😊 / Excelente día. {shop} /
      ¡Esperamos tu compra!
    `),
  },
  MLC: {
    words: {
      ...TU,
      ...words(
        'tshirt la polera, jacket la chaqueta, hoodie el polerón, jeans el jeans, sneakers las zapatillas, backpack la mochila',
        'speaker el parlante, headphones los audífonos, laptop notebook, kettle el hervidor eléctrico, quilt el plumón',
        'sofa el sofá, wardrobe el clóset, tent la carpa, ball la pelota, treadmill la trotadora, wheel aro',
        'tyre el neumático, car el auto, flat el departamento, studio el departamento estudio, trunk el maletero, fuel bencina',
        'rent arriendo, brakepads pastillas de freno, talle talla, un_talle una talla, sizes S|M|L|XL, shoes 36|37|38|39|40|41|42|43',
        'volts 220 V, invoice factura, receipt boleta, taxid RUT, instalments cuotas sin interés, cash transferencia',
        'inspection la revisión técnica, swap permuta, expenses los gastos comunes, guarantee aval, garage estacionamiento',
        'mail la agencia',
      ),
    },
    daytime: ['buenos días', 'buenas tardes', 'buenas noches'],
    greetings: phrases(`
      Hola! / Hola, {daytime}. / Buenas, / Estimados, / Hola, consulta: / {Daytime}, / Hola, ¿qué tal? / Hola
    `),
    thanks: phrases(`
      Gracias! / Muchas gracias. / Quedo atento, gracias. / Saludos! / De antemano, muchas gracias. / Gracias 😊
    `),
    openers: phrases(`
      Hola, {daytime}. / Estimado/a, gracias por escribirnos. / ¡Hola! Junto con saludar, / ¡Hola! /
      Hola, ¿cómo estás?
    `),
    closers: phrases(`
      Saludos, {shop}. / Quedamos atentos. / Que tengas un excelente día. {shop} / ¡Saludos! /
      Cualquier otra duda, nos avisas.
    `),
  },
  MCO: {
    words: {
      ...USTED,
      ...words(
        'tshirt la camiseta, jacket la chaqueta, hoodie el saco, jeans el jean, sneakers los tenis, backpack el morral',
        'speaker el parlante, headphones los audífonos, laptop portátil, kettle la tetera eléctrica, quilt el edredón',
        'sofa el sofá, wardrobe el clóset, tent la carpa, ball el balón, treadmill la caminadora, wheel rin',
        'tyre la llanta, car el carro, flat el apartamento, studio el apartaestudio, trunk el baúl, fuel gasolina, rent arriendo',
        'brakepads pastillas de freno, talle talla, un_talle una talla, sizes S|M|L|XL, shoes 36|37|38|39|40|41|42, volts 110 V',
        'invoice factura electrónica, receipt factura de venta, taxid NIT, instalments cuotas sin interés, cash efectivo',
        'inspection la tecnomecánica, swap permuta, expenses la administración, guarantee codeudor, garage parqueadero',
        'mail la transportadora',
      ),
    },
    daytime: ['buenos días', 'buenas tardes', 'buenas noches'],
    greetings: phrases(`
      Hola, / {Daytime}. / Hola, {daytime}, / Cordial saludo. / Hola, ¿cómo está? / {Daytime}, una pregunta: / Buenas,
    `),
    thanks: phrases(`
      Gracias. / Muchas gracias. / Mil gracias! / Quedo atento. / Dios le pague 🙏 / Gracias, feliz día.
    `),
    openers: phrases(`
      {Daytime}, gracias por escribirnos. / Hola, {daytime}. / ¡Hola! Con mucho gusto. / Cordial saludo. / ¡Hola!
    `),
    closers: phrases(`
      Quedamos pendientes. {shop} / Feliz día. / Con gusto, {shop}. / ¡Lo esperamos! /
      Cualquier inquietud, con gusto 😊
    `),
  },
  MLU: {
    words: {
      ...VOS,
      ...words(
        'tshirt la remera, jacket la campera, hoodie el buzo, jeans el vaquero, sneakers los championes, backpack la mochila',
        'speaker el parlante, headphones los auriculares, laptop notebook, kettle la jarra eléctrica, quilt el acolchado',
        'sofa el sillón, wardrobe el ropero, tent la carpa, ball la pelota, treadmill la cinta de correr, wheel rodado',
        'tyre la cubierta, car el auto, flat el apartamento, studio el monoambiente, trunk la valija, fuel nafta, rent alquiler',
        'brakepads pastillas de freno, talle talle, un_talle un talle, sizes S|M|L|XL, shoes 36|37|38|39|40|41|42|43, volts 220 V',
        'invoice factura con RUT, receipt e-ticket, taxid RUT, instalments cuotas sin recargo, cash efectivo',
        'inspection la patente, swap permuta, expenses los gastos comunes, guarantee garantía de alquiler, garage garaje',
        'mail la agencia',
      ),
    },
    daytime: ['buen día', 'buenas tardes', 'buenas noches'],
    greetings: phrases(`
      Hola! / Hola, {daytime}. / Buenas! / Hola, ¿todo bien? / {Daytime}, / Hola, / Buenas, consulta:
    `),
    thanks: phrases('Gracias! / Muchas gracias. / Gracias, saludos. / Quedo a la espera. / Gracias 🧉 / Ta, gracias!'),
    openers: phrases('Hola, {daytime}. / ¡Hola! / Buenas, ¿todo bien? / Hola, gracias por tu consulta.'),
    closers: phrases('Saludos, {shop}. / A las órdenes. / Saludos! / Cualquier cosa, a las órdenes. {shop}'),
  },
  MPE: {
    words: {
      ...TU,
      ...words(
        'tshirt el polo, jacket la casaca, hoodie la polera, jeans el jean, sneakers las zapatillas, backpack la mochila',
        'speaker el parlante, headphones los audífonos, laptop laptop, kettle el hervidor eléctrico, quilt el edredón',
        'sofa el sofá, wardrobe el ropero, tent la carpa, ball la pelota, treadmill la trotadora, wheel aro',
        'tyre la llanta, car el auto, flat el departamento, studio el minidepartamento, trunk la maletera, fuel gasolina, rent alquiler',
        'brakepads pastillas de freno, talle talla, un_talle una talla, sizes S|M|L|XL, shoes 36|37|38|39|40|41|42, volts 220 V',
        'invoice factura, receipt boleta, taxid RUC, instalments cuotas sin intereses, cash efectivo',
        'inspection la revisión técnica, swap cambio, expenses el mantenimiento, guarantee dos meses de garantía, garage cochera',
        'mail la agencia',
      ),
    },
    daytime: ['buenos días', 'buenas tardes', 'buenas noches'],
    greetings: phrases(`
      Hola, / Hola, {daytime}. / {Daytime}, / Buenas, / Hola amigo, / Hola! Una consulta: / {Daytime}, disculpe,
    `),
    thanks: phrases(`
      Gracias! / Muchas gracias. / Gracias de antemano. / Quedo atenta, gracias. / Saludos. / Gracias 🙏🏽
    `),
    openers: phrases(`
      Hola, {daytime}. / ¡Hola! Gracias por tu interés. / {Daytime}, gracias por escribir a {shop}. / ¡Hola!
    `),
    closers: phrases(`
      Saludos, {shop}. / Quedamos atentos a tu compra. / ¡Que tengas un bonito día! 😊 / Estamos para servirte. /
      Saludos.
    `),
  },
  MEC: {
    words: {
      ...TU,
      ...words(
        'tshirt la camiseta, jacket la chompa, hoodie el buzo, jeans el jean, sneakers los zapatos deportivos, backpack la mochila',
        'speaker el parlante, headphones los audífonos, laptop laptop, kettle el hervidor eléctrico, quilt el edredón',
        'sofa el sofá, wardrobe el clóset, tent la carpa, ball el balón, treadmill la caminadora, wheel aro',
        'tyre la llanta, car el carro, flat el departamento, studio la suite, trunk la cajuela, fuel gasolina, rent arriendo',
        'brakepads pastillas de freno, talle talla, un_talle una talla, sizes S|M|L|XL, shoes 36|37|38|39|40|41|42, volts 110 V',
        'invoice factura con RUC, receipt nota de venta, taxid RUC, instalments cuotas sin intereses, cash efectivo',
        'inspection la matrícula, swap cambio, expenses la alícuota, guarantee dos meses de garantía, garage parqueadero',
        'mail la cooperativa',
      ),
    },
    daytime: ['buenos días', 'buenas tardes', 'buenas noches'],
    greetings: phrases(`
      Hola, / Hola, {daytime}. / {Daytime}, / Buenas, / Hola, ¿qué tal? / Estimados, / {Daytime}, una ayudita:
    `),
    thanks: phrases(`
      Gracias! / Muchas gracias. / Gracias, muy amable. / Quedo pendiente, gracias. / Dios le pague 🙏 / Saludos.
    `),
    openers: phrases(`
      Hola, {daytime}. / Hola, con gusto. / ¡Hola! Gracias por escribirnos. / Estimado cliente, / ¡Hola!
    `),
    closers: phrases(`
      Saludos, {shop}. / Quedamos a las órdenes. / Estamos para servirte. / Con gusto. {shop} / Saludos.
    `),
  },
}
