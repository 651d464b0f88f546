import type { Texts } from '../../http/errors/checks.ts'

/** What the real service has at paths that are not emulated [spec: http.paths.not_emulated]. */
const REAL_PATHS: [path: RegExp, ...texts: [en: string, es: string, pt: string]][] = [
  [
    /^\/orders\b/,
    'the orders of buyers and sellers',
    'las órdenes de compradores y vendedores',
    'os pedidos de compradores e vendedores',
  ],
  [/^\/(?:packs|carts)\b/, 'the packs of orders', 'los paquetes de órdenes', 'os pacotes de pedidos'],
  [
    /^\/(?:shipments|shipment_labels)\b/,
    'shipments and their labels',
    'envíos y sus etiquetas',
    'envios e suas etiquetas',
  ],
  [/^\/messages\b/, 'the messages after a sale', 'los mensajes de posventa', 'as mensagens de pós-venda'],
  [/^\/(?:post-purchase|claims)\b/, 'claims and returns', 'reclamos y devoluciones', 'reclamações e devoluções'],
  [/^\/(?:v1\/)?(?:payments|collections)\b/, 'payments', 'pagos', 'pagamentos'],
  [
    /^\/items\/[^/]+\/descriptions?\b/,
    'the description of a listing',
    'la descripción de una publicación',
    'a descrição de um anúncio',
  ],
  [
    /^\/(?:products|catalog|user-products)/,
    'the catalogue of products',
    'el catálogo de productos',
    'o catálogo de produtos',
  ],
  [/^\/pictures\b/, 'the pictures of listings', 'las imágenes de las publicaciones', 'as imagens dos anúncios'],
  [/^\/reviews\b/, 'the reviews of products', 'las opiniones sobre productos', 'as opiniões sobre produtos'],
  [/^\/advertising\b/, 'advertising', 'publicidad', 'publicidade'],
  [/^\/seller-promotions\b/, 'promotions', 'promociones', 'promoções'],
]

/** In each language, as it follows “The real service has”; undefined if it is not known. */
export function realPath(path: string): Texts | undefined {
  const found = REAL_PATHS.find(([pattern]) => pattern.test(path))
  if (!found) return undefined
  const [, en, es, pt] = found
  return { en, es, pt }
}
