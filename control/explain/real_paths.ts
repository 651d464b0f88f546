import type { Texts } from '../../http/errors/checks.ts'

/** What the real service has at paths that are not emulated [spec: http.paths.not_emulated]. */
const REAL_PATHS: [path: RegExp, ...texts: [en: string, es: string, pt: string]][] = [
  [/^\/carts\b/, 'the carts of orders', 'los carritos de ventas', 'os carrinhos de vendas'],
  [/^\/user-products\b/, 'the products of sellers', 'los productos de vendedores', 'os produtos de vendedores'],
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
