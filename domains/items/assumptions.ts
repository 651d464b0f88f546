import { type Assumptions, assumed, observed } from '../../http/assumptions.ts'
import { PRIVATE_QUANTITIES, STOP_TIME } from './present.ts'
import { PUBLIC_SEARCH } from './public_search.ts'

export const ITEMS: Assumptions = {
  [PUBLIC_SEARCH.name]: observed('Whether the public search of a site answers', PUBLIC_SEARCH),
  [STOP_TIME.name]: assumed(
    'How long after date_created a listing stops; with `20 years` a used article stops after 60 days',
    STOP_TIME,
    [{ route: 'GET /users/:user_id/items/search', sends: ['orders'], value: /^stop_time/ }],
  ),
  [PRIVATE_QUANTITIES.name]: assumed('Who sees stock and sold units of a listing', PRIVATE_QUANTITIES),
  'items.plain': assumed(
    'Members of a listing that were not sent when it was created',
    'new, buy_it_now, gold_special, category {site}3530; empty lists, null',
  ),
  'items.constants': assumed(
    'Members of a listing that are alike for all, or follow from its id',
    'accepts_mercadopago true, automatic_relist false, channels marketplace; user_product_id {site}U{number}',
  ),
  'items.initial_quantity': assumed(
    'initial_quantity of a listing',
    'stock at creation and every increase by the seller; else available_quantity + sold_quantity',
  ),
  'items.promotion': assumed(
    'Prices during a promotion',
    'price is the lower one, base_price and original_price the one before; variations have the price of the listing',
  ),
  'items.pictures': assumed(
    'Addresses of pictures',
    'on http2.example.com, where nothing answers; without pictures null and empty texts',
  ),
  'items.attributes': assumed(
    'Attributes of a listing that the seller has not given',
    'BRAND and MODEL if none is given, SELLER_SKU, ITEM_CONDITION',
  ),
  'items.description.not_found': assumed(
    'Answer for the description of a listing without one',
    '404 not_found, Description of item {item_id} not found; an empty array at /descriptions',
  ),
  'items.variations.not_found': assumed(
    'Answer for a variation that the listing does not have',
    '404 not_found, Variation with id {variation_id} not found',
  ),
  'items.promotions': assumed(
    'What a promotion of a seller does',
    'sets the lower price of the listing until finish_date',
  ),
  'items.catalog_listings': assumed('A listing of the catalogue', 'the same listing, not a second one'),
  'items.prices.promotion': assumed(
    'The price of a promotion in the list of prices',
    'a second element with id 2 and type promotion',
  ),
  'items.tags': assumed(
    'Tags of a listing',
    'good_quality_picture, immediate_payment, cart_eligible; a classified one: the first; test_item of a test user',
  ),
  'items.search.q': assumed(
    'Which listings `q` finds',
    'those with this text in the title, in any letter case of A to Z',
    [{ route: 'GET /users/:user_id/items/search', sends: ['q'] }],
  ),
  'items.change.members': assumed(
    'How members of a listing are changed',
    'others are ignored; pictures replaced; attributes and sale_terms merged by id; null removes a text',
  ),
  'items.change.under_review': assumed(
    'What can be changed of a listing under review',
    'all but its status: 400 validation_error, field_not_updatable',
  ),
  'items.create': assumed('Answer to a new listing, and its shipping without shipping.mode', '201 with the item; me2'),
  'items.causes': assumed(
    'Numbers and texts of causes, and where warnings are',
    '0 for missing members, 3706 for a long title; warnings as last member of the 201',
  ),
  'items.relist': assumed('Answer to relisting what cannot be relisted', '400 validation_error, with the id'),
  'items.description.write': assumed(
    'Answers to writing a description',
    '201 after POST, 400 Item already has a description to a second one',
  ),
  'items.variations.write': assumed(
    'Answers to changes of variations, and the price of their listing',
    '201 and 200 with the variation, after DELETE the others; the lowest price',
  ),
  'items.pictures.upload': assumed(
    'Answers to uploads, and about uploaded pictures',
    '201; 400 The file is not an image; ACTIVE at once',
  ),
}
