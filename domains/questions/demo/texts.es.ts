import { readTopic, readTopics, type Texts } from './language.ts'

export const ES: Texts = {
  topics: readTopics(`
    goods
    ? ¿{Tenes} stock?
    ? ¿Está disponible para comprar hoy?
    ? Quiero comprar {the}, ¿hay disponibilidad?
    ? ¿Les queda stock o es por encargo?
    ? ¿Hay para entrega inmediata?
    ? La publicación dice que hay, ¿es así? Ya me pasó de comprar y que cancelen :(
    = Sí, hay stock para entrega inmediata.
    = Sí, quedan {n} unidades. {Compra} con tranquilidad.
    = Mientras la publicación esté activa hay stock, lo actualizamos todos los días.
    = Sí, disponible. Se despacha el mismo día si la compra entra antes de las 13 h.

    parcel
    ? ¿Cuánto tarda en llegar a {city}?
    ? Si compro hoy, ¿cuándo llegaría a {city}?
    ? Lo necesito para un regalo, ¿en cuántos días entregan en {city}?
    ? ¿Qué demora tiene el envío a {city}?
    ? Estoy en {city} y me urge, ¿para cuándo estaría?
    = A {city} demora unos {days} días hábiles. La fecha exacta aparece antes de pagar.
    = Para {city} son unos {days} días hábiles; despachamos en el día.
    = Si {compras} hoy sale mañana a primera hora y a {city} suele llegar en {days} días.

    parcel
    ? ¿Hacen envíos a {city}?
    ? ¿El envío a {city} es gratis?
    ? ¿Cuánto sale el envío a {city}?
    ? Pongo mi código postal de {city} y no me deja elegir el envío, ¿llegan igual?
    = Sí, enviamos a todo el país. El costo a {city} lo {ves} al poner {tu} código postal.
    = Llegamos a {city} sin problema; el costo figura en la publicación antes de pagar.
    = Sí, a {city} también. Si el sitio no {te} muestra el costo, {avisa} y lo revisamos.

    flex
    ? Si compro ahora, ¿llega hoy? Estoy en {hood}.
    ? ¿Entregan en el día en {hood}?
    ? ¿Es con envío Flex? Soy de {hood} y lo necesito para hoy a la noche.
    ? ¿Hasta qué hora puedo comprar para que me llegue hoy a {hood}?
    = Sí, con Flex a {hood} llega hoy si la compra entra antes de las 14 h. Después de esa hora, mañana.
    = Entregamos en el día en {hood}, de lunes a sábado, comprando hasta las 14 h.
    = Llega hoy entre las 16 y las 21 h si {compras} antes de las 14. A {hood} vamos todos los días.

    bulky
    ? ¿Cómo sería el envío a {city}? ¿Lo suben por escalera?
    ? ¿Cuánto cobran el flete hasta {city}?
    ? ¿Entregan en {city}? Vivo en un tercer piso sin ascensor.
    = A {city} va por transporte y se coordina después de la compra; la entrega es en planta baja.
    = El flete a {city} se cotiza aparte según la dirección. Subir por escalera tiene un adicional por piso.

    goods
    ? ¿Hacen {invoice}?
    ? ¿Entregan {invoice}? Es para mi empresa.
    ? Necesito {invoice}, ¿la {haces} con los datos que les pase?
    ? ¿Con la compra dan {receipt} o {invoice}?
    = Sí, hacemos {invoice}. Después de comprar {manda} {tu} {taxid} por mensaje.
    = Todas las ventas salen con {receipt}; si {necesitas} {invoice}, {pasa} {tu} {taxid} al comprar.
    = Sí, sin problema. La mandamos por correo electrónico dentro de las 24 h.

    goods, classified
    ? ¿Cuál es el último precio?
    ? ¿{Haces} descuento pagando en {cash}?
    ? ¿{Aceptas} {offer}? Cierro hoy.
    ? ¿Me {dejas} el precio en {offer}?
    ? Lo vi más barato en otro lado, ¿pueden igualar {offer}?
    ? ¿Es negociable? Ofrezco {offer} <3
    = El precio publicado es el final, disculpas.
    = Gracias por el interés, pero ya está al mejor precio que podemos.
    = Por el momento no tenemos margen para bajarlo. A fin de mes solemos tener promociones.
    = No podemos bajar más, el valor es el de la publicación.

    goods
    ? ¿Tienen precio por mayor?
    ? Necesito {n} unidades para una escuela, ¿hay descuento por cantidad?
    ? Si llevo más de 10, ¿cambia el precio?
    ? Tengo un local, ¿venden al por mayor?
    = A partir de 10 unidades hacemos un {percent} % de descuento; {avisa} la cantidad y armamos una publicación.
    = Sí, por cantidad hay un {percent} % menos desde 10 unidades.
    = Por ahora vendemos solo por unidad con este precio, pero desde 10 podemos bonificar el envío.

    goods
    ? ¿Se puede retirar en persona?
    ? ¿Por dónde están? Me queda cómodo {hood}.
    ? ¿Tienen local para ver el producto?
    ? ¿Puedo pasar el sábado a retirar?
    ? ¿Dónde se retira y en qué horario?
    = Se retira en {pickup}, de lunes a viernes de 10 a 18 h y sábados hasta las 13 h, con la compra ya hecha.
    = Sí, en {pickup}. Al comprar {elige} retiro en persona y {te} llega la dirección.
    = No tenemos local a la calle, pero hay un punto de retiro en {pickup}, también los sábados a la mañana.

    gadget, kitchen, carpart, furniture, sport
    ? ¿Tiene garantía?
    ? ¿Cuánto tiempo de garantía tiene y quién responde?
    ? Si viene con fallas, ¿cómo es la garantía?
    ? ¿La garantía es de fábrica o de la tienda?
    = Tiene {months} meses de garantía, la damos nosotros directamente.
    = Sí, {months} meses por fallas de fábrica. Solo hay que guardar el comprobante.
    = Garantía de {months} meses: si falla, el cambio es sin costo.

    goods
    ? ¿Es nuevo? ¿Viene en su empaque?
    ? ¿Las fotos son reales?
    ? ¿Es igual a la foto o cambia el modelo?
    ? ¿Seguro que viene en caja cerrada? La última vez me llegó abierta.
    = Todo lo que vendemos es nuevo y en su empaque original, tal cual las fotos.
    = Sí, las fotos las sacamos nosotros. Es nuevo, en caja cerrada.
    = Es exactamente lo que muestra la publicación, nuevo y sin uso.

    gadget, kitchen, carpart
    ? ¿Qué trae exactamente? La ficha dice "accesorios" & no aclara nada más
    ? ¿Viene con todo lo que se ve en las fotos?
    ? ¿Incluye los accesorios de la tercera foto?
    = Incluye todo lo que se ve en la primera foto y el manual en español.
    = Sí, viene completo: producto, accesorios y comprobante. Lo demás de las fotos es decorativo.

    goods
    ? ¿Se puede pagar en {instalments}?
    ? ¿Cuántas {instalments} tiene?
    ? ¿Se puede pagar con {cash}?
    ? No me aparecen las {instalments}, ¿las sacaron?
    = Los medios de pago son los que {ves} en la publicación; con tarjeta hay hasta {few} {instalments}.
    = Depende de la tarjeta: hoy figuran hasta {few} {instalments}. En {cash} también se puede, siempre por acá.

    clothing, shoes, home, gadget
    ? Si no me gusta, ¿tiene cambio?
    ? ¿Cómo es el tema de los cambios?
    ? Es para regalo, ¿después se puede cambiar?
    = Sí, hay 30 días para hacer el cambio, sin uso y con etiqueta.
    = Se puede cambiar o devolver dentro de los 30 días, desde la misma compra.

    sized
    ? ¿{Tenes} {talle} {size}?
    ? ¿Hay {talle} {size} en {colour}?
    ? ¿Les queda en {talle} {size}?
    ? Busco {talle} {size}, en las opciones no me aparece
    = Sí, en {talle} {size} hay en {colour} y en {colour2}.
    = De {talle} {size} quedan {few}, {elige} la opción en la publicación.
    = En {talle} {size} solo queda {colour}. La semana que viene entra más.
    = Por ahora sin {talle} {size}, disculpas. Repone el jueves.

    sized
    ? ¿El {talle} es real o viene chico? Uso {size}.
    ? Normalmente uso {size}, ¿pido el mismo o {un_talle} más?
    ? ¿Qué {talle} me recomiendan? Mido 1,68 y siempre dudo entre {size} y el siguiente.
    ? ¿Hay tabla de medidas?
    = La medida es real: si siempre {usas} {size}, {elige} {size}.
    = Viene normal. En la última foto está la tabla con los centímetros; ante la duda entre dos, el más grande.
    = Según la tabla de la última foto, lo mejor es {size}.

    colour
    ? ¿Hay en color {colour}?
    ? ¿Qué colores quedan?
    ? ¿Viene en {colour} o solo el de la foto?
    ? ¿El {colour} es igual al de la foto?
    ? ¿{Tenes} {colour}? Si no, {colour2} también me sirve.
    = Sí, hay {colour} y {colour2}. Se elige antes de pagar.
    = Quedan {colour} y {colour2}; el tono es el de las fotos, tomadas con luz natural.
    = En {colour} quedan {few} unidades. De {colour2} hay más.

    material
    ? ¿De qué material es?
    ? ¿Es resistente? ¿De qué está hecho?
    ? ¿El material destiñe o se pela con el uso?
    ? ¿Cómo se limpia?
    = Es el material que figura en el título, de buena calidad. Se limpia con un paño húmedo, sin cloro.
    = Muy resistente: hace años que está en nuestra tienda y casi no hay reclamos. No destiñe ni se pela.

    measured
    ? ¿Qué medidas tiene?
    ? ¿Cuánto mide de ancho y de alto?
    ? ¿Entra en un espacio de {cm} cm?
    ? ¿Me pasan las medidas exactas? Largo x ancho x alto
    = Las medidas exactas están en la última foto, con el detalle de cada lado.
    = Están en la ficha: largo × ancho × alto. Medimos todo con cinta antes de publicar.
    = En las características figura cada medida en centímetros; puede variar 1 cm, no más.

    phone
    ? ¿Funciona con cualquier celular?
    ? ¿Es compatible con un celular de hace cuatro años?
    ? ¿Anda con cable USB-C o usa otro?
    ? ¿Sirve para tablet también?
    = Sí, es compatible con todos los celulares y tablets actuales; el cable es USB-C.
    = Funciona con cualquier equipo con Bluetooth o USB-C, no hace falta instalar nada.

    computer
    ? ¿Sirve para {laptop} de 15" & 17"?
    ? ¿Es compatible con una {laptop} de 15,6"?
    ? ¿Funciona con cualquier sistema operativo?
    ? ¿Se conecta y listo, o hay que instalar <drivers>?
    = Sí, funciona con cualquier {laptop} de hasta 17", sin instalar nada.
    = Es compatible con todos los sistemas: se conecta por USB y listo.

    electric
    ? ¿Funciona con {volts}?
    ? ¿Qué enchufe trae?
    ? ¿Consume mucha luz? ¿Cuántos watts son?
    ? ¿Viene con adaptador o cable de alimentación?
    = Es para {volts} y trae su cable con enchufe local. Los watts figuran en la ficha, consume poco.
    = Viene con cable y enchufe local, para {volts}. Bajo consumo.

    carpart
    ? ¿Sirve para {vehicle}?
    ? Tengo {vehicle}, ¿le queda?
    ? ¿Es compatible con {vehicle}?
    ? ¿Le va a {vehicle}? En otras publicaciones dicen que sí
    ? Para {vehicle}, ¿es esta la medida correcta?
    = Sí, para {vehicle} va perfecto.
    = Le queda bien a {vehicle}. De todos modos conviene comparar con la pieza que tiene puesta.
    = Para {vehicle} hay dos versiones: {pasa} los últimos 8 caracteres del chasis y lo confirmamos.
    = Para {vehicle} no, lleva otra medida que por ahora no trabajamos.

    furniture
    ? ¿Viene para armar?
    ? ¿Es fácil de armar? Vivo sola y no tengo herramientas 😅
    ? ¿El armado está incluido?
    = Viene para armar, con herrajes e instructivo. Se arma en una hora con un destornillador.
    = Va en caja para armar. El armado a domicilio se cobra aparte, solo en {pickup} y alrededores.

    vehicle
    ? ¿Tiene los papeles al día?
    ? ¿Es titular? ¿Tiene multas o deudas?
    ? ¿Tiene {inspection} al día?
    ? ¿Está para transferir ya?
    = Papeles al día, titular y sin deudas. Listo para transferir.
    = Soy titular, tiene {inspection} al día y no registra multas.

    vehicle
    ? ¿Recibe {swap}?
    ? ¿{Aceptas} {swap} por {vehicle}? Pongo diferencia.
    ? Tengo {vehicle}, ¿te interesa {swap}?
    = Por ahora no tomo {swap}, solo venta.
    = Depende: {manda} año, kilómetros y fotos y lo vemos.

    vehicle
    ? ¿Cuántos dueños tuvo? ¿Algún choque?
    ? ¿Los kilómetros son reales?
    ? ¿Tiene algún detalle de motor o de chapa?
    ? ¿Los servicios están hechos? ¿Hay comprobantes?
    = Un solo dueño, sin choques, kilómetros reales y todos los servicios hechos y anotados.
    = Solo detalles de uso, se ven en las fotos 6 y 7. El motor está impecable y los kilómetros son reales.

    vehicle
    ? ¿Se puede financiar una parte?
    ? ¿Aceptan entrega y cuotas?
    ? ¿Tienen crédito? Cuento con la mitad.
    = Se puede financiar hasta el 50 % con el banco, sujeto a aprobación.
    = Trabajamos con crédito: con la mitad de entrega, el resto hasta en 36 cuotas.

    vehicle, flat
    ? ¿Cuándo se puede ver?
    ? ¿Por qué zona está?
    ? ¿Se puede visitar este fin de semana?
    ? ¿Sigue disponible? Quisiera ir a ver mañana.
    = Sí, sigue disponible. Se puede ver en {pickup}, de lunes a sábado con cita previa.
    = Está en {pickup}. Los sábados de 10 a 13 h se puede ver sin problema.

    flat
    ? ¿Cuánto se paga por mes en total, con {expenses}?
    ? ¿El precio ya incluye {expenses}?
    ? ¿Qué servicios van aparte?
    = El precio publicado no incluye {expenses}; luz, gas e internet van aparte.
    = Agua incluida. Los demás servicios y {expenses} van aparte, más o menos un {percent} % más.

    flat
    ? ¿Aceptan mascotas?
    ? Tengo una gata muy tranquila 🐱, ¿hay problema?
    ? Somos dos y un perro chico, ¿se puede?
    = Sí, se aceptan mascotas pequeñas.
    = El reglamento del edificio permite mascotas, solo pedimos cuidar los espacios comunes.

    flat
    ? ¿Qué requisitos piden?
    ? ¿Piden {guarantee}?
    ? Soy independiente, ¿con qué puedo calificar?
    ? ¿De cuánto es el depósito?
    = Pedimos {guarantee}, últimos tres comprobantes de ingresos y un mes de depósito.
    = Un mes de depósito y {guarantee}. Si es independiente, sirven las declaraciones del último año.

    flat
    ? ¿Tiene {garage}?
    ? ¿Cuántos metros tiene y en qué piso está?
    ? ¿Es al frente? ¿Le da el sol?
    = Son {cm} m² en un cuarto piso con ascensor, al frente, muy luminoso. {Garage} opcional.
    = Cuarto piso al frente con sol de mañana, {cm} m². El {garage} se paga aparte.
  `),
  bought: readTopic(`
    parcel
    ? Ya hice la compra, ¿cuándo despachan?
    ? Compré recién, ¿me confirman que salga hoy?
    ? Listo, ya compré. ¿Me pasan el número de seguimiento?
    ? Compré ayer y todavía figura en preparación, ¿está todo bien?
    = ¡Gracias por la compra! Sale en el próximo despacho y el seguimiento aparece en el detalle de la compra.
    = Ya está embalado, {mail} lo lleva en el próximo retiro. El seguimiento se actualiza solo. ¡Gracias!
    = Recibido, gracias. Va en camino; cualquier cosa, mejor por los mensajes de la compra.
  `),
  followUps: [
    'Gracias por responder.',
    'Perdón que moleste otra vez.',
    'Buenísimo, gracias. Otra cosa:',
    'Ok, gracias! Y otra pregunta:',
    'Última duda:',
    'Genial.',
  ],
  mistaken: [
    'perdon, me equivoque de publicacion',
    'Hola ma, mirá este, ¿te gusta? Ah no, era por otro lado 😂',
    'Disculpe, la pregunta era para otro vendedor.',
    'asdasd',
    'prueba',
    'Ignoren la pregunta anterior, ya vi que está en la descripción',
    'aaaaaaa se me apretó solo',
  ],
  spam: [
    'Hola, yo vendo lo mismo más barato por fuera, anote: 555-0199',
    'Le ofrezco seguidores & visitas para su publicación, resultados en 24 h!!! www.example.com/promo',
    'GANE DINERO DESDE CASA 💸💸 escriba a negocios@example.org',
    '¿Arreglamos por afuera y nos ahorramos la comisión? Mi correo es trato@example.net',
    'Pago por transferencia sin pasar por acá, mande su número de cuenta y cerramos <urgente>',
    'Tengo el mismo a mitad de precio, búsqueme como ofertas.example.org',
  ],
  moderated: [
    '¿Me {das} un teléfono para coordinar? El mío es 5555-0142',
    '{Escribe} a compras@example.com, quiero ver más fotos',
    '¿Tienen página propia? Quiero ver el catálogo completo',
    'La otra vez me mandaron cualquier cosa, una vergüenza. ¿Este viene bien?',
  ],
  colours: ['negro', 'blanco', 'azul', 'gris', 'verde', 'rojo', 'beige'],
  vehicles: [
    'un sedán 1.6 del 2014',
    'un hatchback 2012',
    'una camioneta 4x4 2018',
    'un utilitario 2016',
    'un sedán 2.0 del 2009',
    'una camioneta familiar 2011',
  ],
  // Only the acute accent: an ñ remains an ñ.
  accents: /\u0301/g,
}
