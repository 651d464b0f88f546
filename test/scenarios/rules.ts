import { FINANCIAL_ENTITIES } from '../../domains/credits/tables.ts'
import { SITE_IDS, SITES } from '../../scenarios/demo/sites.ts'
import { MONDAY } from '../../scenarios/names.ts'

// What holds for the rows of the demo with any seed, as statements for an SQLite file whose week begins on MONDAY.

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Days after the origin, ms. */
const at = (days: number) => MONDAY + days * DAY
/** Of contacts, whose times count from the origin: before all of them, so that divisions round down. */
const dayOf = (ms: string) => `((${ms} + ${98 * DAY}) / ${DAY} - 98)`
const hourOf = (ms: string) => `((${ms} + ${98 * DAY}) / ${HOUR} - ${98 * 24})`
const SOLD = `('paid', 'partially_refunded', 'pending_cancel')`
/** An expression for each seller `s`. */
const perSeller = (expression: string, table: string, where = '1') =>
  `SELECT (SELECT ${expression} FROM ${table} WHERE ${table}.${table === 'contact_event' ? 'user_id' : 'seller_id'} = s.id AND ${where}) FROM seller s`

export const VIEWS = `
  CREATE VIEW seller AS SELECT * FROM user WHERE level_id IS NOT NULL;
  CREATE VIEW asked AS SELECT q.*, i.status listing, i.last_updated left_at FROM question q JOIN item i ON i.id = item_id;
  CREATE VIEW texts AS SELECT text FROM question UNION ALL SELECT answer_text FROM question WHERE answer_text IS NOT NULL;
  CREATE VIEW pace AS SELECT seller_id,
      iif(day >= 5, 'weekend', iif(hour >= 18, 'evening', iif(hour >= 9, 'office', 'night'))) period,
      median((answered_at - date_created) / 60000.0) minutes
    FROM (SELECT *, (date_created - ${at(-98)}) / ${HOUR} % 24 hour, (date_created - ${at(-98)}) / ${DAY} % 7 day
      FROM question WHERE answered_at IS NOT NULL) GROUP BY 1, 2;
  CREATE VIEW range AS SELECT f.id, mode, d.key day, r.key n, r.value ->> 'from' start, r.value ->> 'to' "end",
      r.value ->> 'capacity' capacity, r.value ->> 'cutoff' cutoff, (SELECT group_concat(key) FROM json_each(r.value)) members
    FROM flex_subscription f, json_each(delivery_ranges) d, json_each(d.value) r;
  CREATE VIEW parcel AS SELECT * FROM shipment WHERE order_id IS NULL;
  CREATE VIEW purchase AS SELECT coalesce(pack_id, id) id, count(*) n FROM sale_order GROUP BY 1;
  CREATE VIEW paid AS SELECT *, coalesce(pack_id, id) purchase FROM sale_order
    WHERE status IN ${SOLD} OR cancel_detail ->> 'group' = 'mediations';
  CREATE VIEW conversation AS SELECT pack_id, max(from_id = seller_id) is_answered,
      max(iif(k = 2, date_created, 0)) - max(iif(k = 1, date_created, 0)) gap
    FROM (SELECT *, row_number() OVER (PARTITION BY pack_id ORDER BY n) k FROM message) GROUP BY 1`

/** Each selects rows that break a rule. */
export const CONTRADICTIONS: Record<string, string> = {
  nicknames: 'SELECT nickname FROM user GROUP BY 1 HAVING count(*) > 1',
  'users are registered before the history, with reserved mail domains and fictitious telephones': `SELECT id FROM user
    WHERE NOT email REGEXP '^[a-z0-9.]+@example\\.(com|org|net)$' OR NOT phone REGEXP '55[05]'
      OR registration_date > ${at(-100)} OR NOT EXISTS (SELECT 1 FROM json_each(tags) WHERE value = 'normal')`,
  addresses: `SELECT id FROM user WHERE NOT address ->> 'state' REGEXP '^[A-Z]{2}-[A-Z]{1,3}$' OR address ->> 'zip_code' LIKE '%#%'
    OR (SELECT group_concat(key) FROM (SELECT key FROM json_each(address) WHERE value <> '' ORDER BY key))
      <> 'address,city,state,zip_code'`,

  'titles of a seller': 'SELECT title FROM item GROUP BY seller_id, title HAVING count(*) > 1',
  'first listings': `SELECT s.id FROM seller s JOIN item ON seller_id = s.id GROUP BY 1
    HAVING min(item.id) <> s.site_id || '1400000001'`,
  'Flex needs active, me2': `SELECT id FROM item WHERE in_flex AND NOT (status = 'active' AND shipping_mode = 'me2')`,
  prices: 'SELECT id FROM item WHERE currency_id <> currency(site_id) OR NOT price > 0',
  'listings are older than the history, and change before the last day': `SELECT id FROM item
    WHERE date_created > ${at(-100)} OR last_updated >= ${at(-1)} OR last_updated < date_created`,
  'categories, pictures and attributes': `SELECT id FROM item WHERE NOT is_leaf(category_id)
    OR coalesce(json_array_length(details, '$.pictures'), 0) = 0 OR details -> '$.attributes' IS NULL`,
  'stock of variations': `SELECT id FROM item WHERE details -> '$.variations' IS NOT NULL AND available_quantity
    IS NOT (SELECT sum(value ->> 'available_quantity') FROM json_each(details, '$.variations'))`,
  'each active listing has a description': `SELECT id FROM item
    WHERE (status = 'active') <> (id IN (SELECT item_id FROM item_description))`,

  'questions have ascending ids without gaps': `SELECT id FROM (SELECT id, date_created at,
      lag(id, 1, 13000000000) OVER (ORDER BY id) before, lag(date_created, 1, 0) OVER (ORDER BY id) earlier FROM question)
    WHERE id <> before + 1 OR at < earlier`,
  'questions of 97 days, answered afterwards': `SELECT id FROM question WHERE date_created < ${at(-90)} OR date_created >= ${at(7)}
    OR answered_at <= date_created OR answered_at >= ${at(7)}`,
  'asked by other users of the site on listings of the seller': `SELECT q.id FROM question q
    LEFT JOIN item i ON i.id = item_id LEFT JOIN user u ON u.id = from_id
    WHERE i.seller_id IS NOT q.seller_id OR u.site_id IS NOT i.site_id OR from_id = q.seller_id`,
  'answered ones': `SELECT id FROM question WHERE status = 'ANSWERED'
    AND (coalesce(answer_text, '') = '' OR answered_at IS NULL OR answer_status IS NOT 'ACTIVE')`,
  'open ones have no answer': `SELECT id FROM question WHERE coalesce(answer_text, answered_at, answer_status) IS NOT NULL
    AND status IN ('UNANSWERED', 'CLOSED_UNANSWERED', 'UNDER_REVIEW', 'DELETED', 'BANNED')`,
  'the status of a listing': `SELECT id FROM asked WHERE listing <> CASE status WHEN 'UNANSWERED' THEN 'active'
    WHEN 'CLOSED_UNANSWERED' THEN 'closed' WHEN 'UNDER_REVIEW' THEN 'under_review' ELSE listing END`,
  'texts, flags and answers by status': `SELECT id FROM question WHERE (text = '') <> (status = 'BANNED')
    OR deleted_from_listing <> (status = 'DELETED') OR ((hold OR suspected_spam) AND status <> 'UNANSWERED')
    OR (status = 'DISABLED' AND answer_status IS NOT iif(answered_at, 'DISABLED', NULL))`,
  'every status and flag with each seller': `SELECT seller_id FROM question GROUP BY 1
    HAVING count(DISTINCT status) < 7 OR NOT (max(hold) AND max(suspected_spam) AND max(hidden))`,
  'what is final was so a day before the week': `SELECT id FROM asked WHERE coalesce(answered_at, date_created) >= ${at(-1)}
    AND (listing <> 'active' OR status IN ('DELETED', 'BANNED', 'DISABLED'))`,
  'nothing after a listing has left the site': `SELECT id FROM asked
    WHERE listing <> 'active' AND coalesce(answered_at, date_created) >= left_at`,
  'the first question of a buyer on a listing': `SELECT id FROM (SELECT id, first_of_buyer,
      row_number() OVER (PARTITION BY from_id, item_id ORDER BY id) n FROM question) WHERE first_of_buyer <> (n = 1)`,
  'well-formed texts': `SELECT text FROM texts WHERE text REGEXP '[{}\\0\ufffd]|undefined|^[^]{2001}'`,
  'buyers are blocked before the last day, ask nothing afterwards, and are no test users': `SELECT buyer_id
    FROM blocked_buyer b JOIN user ON user.id = buyer_id WHERE date_created >= ${at(-1)} OR tags LIKE '%test_user%'
      OR EXISTS (SELECT 1 FROM question q WHERE from_id = buyer_id AND q.date_created >= b.date_created)`,
  'sellers are quick in office hours': `SELECT o.seller_id FROM pace o JOIN pace e USING (seller_id) WHERE o.period = 'office'
    AND e.period IN ('evening', 'weekend') AND (2 * o.minutes >= e.minutes OR e.minutes >= 24 * 60)`,

  'contacts of one instant are numbered': `SELECT at FROM (SELECT at, seq,
      row_number() OVER (PARTITION BY user_id, kind, at ORDER BY seq) n FROM contact_event) WHERE seq <> n - 1`,
  'contacts of 97 days on listings of the seller, none after one has left the site': `SELECT at FROM contact_event
    LEFT JOIN item i ON i.id = item_id WHERE at < ${-90 * DAY} OR at >= ${7 * DAY} OR typeof(at) <> 'integer'
      OR i.seller_id IS NOT user_id OR (i.status <> 'active' AND at >= i.last_updated - ${MONDAY})`,
  'every question is a contact': `SELECT at FROM (SELECT date_created - ${MONDAY} at, item_id, from_id, 1 n FROM question
    UNION ALL SELECT at, item_id, buyer_id, -1 FROM contact_event WHERE kind = 'questions')
    GROUP BY at, item_id, from_id HAVING sum(n) <> 0`,
  'sellers have days with more contacts': `SELECT user_id FROM (SELECT user_id, count(*) n FROM contact_event
    WHERE kind <> 'visits' GROUP BY 1, ${dayOf('at')}) GROUP BY 1 HAVING max(n) <= 1.5 * median(n)`,
  'some listings get most contacts': `SELECT user_id FROM (SELECT user_id, count(*) n FROM contact_event
    WHERE kind <> 'visits' GROUP BY 1, item_id) GROUP BY 1 HAVING max(n) <= 3 * median(n)`,
  'a listing has on each day as many visits as questions and orders, or more': `SELECT item_id FROM (
    SELECT item_id, ${dayOf(`date_created - ${MONDAY}`)} day, 1 n FROM question UNION ALL
    SELECT item_id, ${dayOf(`date_created - ${MONDAY}`)}, 1 FROM sale_order UNION ALL
    SELECT item_id, ${dayOf('at')}, -1 FROM contact_event WHERE kind = 'visits')
    WHERE day >= -90 GROUP BY item_id, day HAVING sum(n) > 0`,
  ...Object.fromEntries(
    ['item', 'user'].map((subject) => [
      `hourly counts equal the contacts of each ${subject}`,
      `SELECT hour FROM (SELECT ${subject}_id id, kind, ${hourOf('at')} hour, 1 n FROM contact_event UNION ALL
        SELECT ${subject}_id, kind, hour, -n FROM contact_${subject}_hour) GROUP BY id, kind, hour HAVING sum(n) <> 0 OR max(n) <= 0`,
    ]),
  ),

  'leads have UUIDs of version 4': `SELECT id FROM credit_lead
    WHERE NOT id REGEXP '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$'`,
  'leads are of active listings that existed then, from buyers of the site': `SELECT l.id FROM credit_lead l
    LEFT JOIN item i ON i.id = item_id LEFT JOIN user b ON b.id = buyer_id WHERE i.seller_id IS NOT l.seller_id
      OR i.status <> 'active' OR i.date_created >= l.date_created OR b.site_id IS NOT i.site_id OR b.level_id IS NOT NULL
      OR buyer_id IN (l.seller_id, (SELECT buyer_id FROM blocked_buyer WHERE blocked_buyer.buyer_id = l.buyer_id))`,
  'amounts of leads are in the currency': `SELECT id FROM (SELECT *, iif(seller_id = 2500000401, 0, 2) decimals FROM credit_lead)
    WHERE NOT min(down_payment_amount, installments_amount) > 0 OR round(down_payment_amount, decimals) <> down_payment_amount
      OR round(installments_amount, decimals) <> installments_amount`,
  // The price of a flat is its monthly rent.
  'a tenth to four tenths down, the rest with interest': `SELECT l.id FROM (SELECT *, down_payment_amount down,
      (SELECT price * iif(site_id = 'MLC', 200, 1) FROM item WHERE item.id = item_id) price FROM credit_lead) l
    WHERE down NOT BETWEEN 0.0999 * price AND 0.4001 * price
      OR installments_number * installments_amount / (price - down) - 1 NOT BETWEEN 0.05 AND 1.3`,
  'proposals of approved leads': `SELECT id FROM credit_lead WHERE proposal_id IS NOT NULL
    AND (status <> 'approved' OR NOT proposal_id REGEXP '^[1-9]\\d{4,7}$')`,
  'times of leads': `SELECT id FROM credit_lead WHERE date_created % 1000 OR date_created < ${at(-120)}
    OR date_created >= ${at(7)} OR (status = 'in_analysis' AND date_created < ${at(-3)}) OR (expired AND date_created >= ${MONDAY})`,

  'subscriptions are of the seller of the site': `SELECT f.id FROM flex_subscription f LEFT JOIN seller s ON s.id = user_id
    WHERE s.site_id IS NOT f.site_id OR delivery_window <> 'same_day' OR is_moderated OR creation_date % 1000
      OR creation_date <= registration_date`,
  'age of subscriptions': `SELECT id FROM (SELECT *, (${MONDAY} - creation_date) / ${DAY}.0 days FROM flex_subscription) f
    WHERE NOT CASE WHEN origin <> '' THEN days BETWEEN 30 AND 90
      WHEN mode = 'TURBO' THEN days > 30 AND creation_date >= ${DAY} + (SELECT creation_date FROM flex_subscription o
        WHERE o.site_id = f.site_id AND mode = 'FLEX' ORDER BY id LIMIT 1)
      WHEN site_id = 'MPE' THEN days = 5 ELSE days BETWEEN 200 AND 700 END`,
  'days of ranges, of which one that is off is null': `SELECT id FROM flex_subscription
    WHERE (SELECT group_concat(key) FROM json_each(delivery_ranges)) <> 'week,saturday,sunday'
      OR EXISTS (SELECT 1 FROM json_each(delivery_ranges) WHERE value = '[]') OR delivery_ranges ->> 'week' IS NULL
      OR (mode = 'TURBO' AND (delivery_ranges ->> 'saturday' IS NOT NULL OR delivery_ranges ->> 'sunday' IS NOT NULL
        OR json_array_length(delivery_ranges, '$.week') <> 4))`,
  ranges: `SELECT id FROM range WHERE members <> 'from,to,capacity,cutoff' OR capacity NOT BETWEEN 20 AND 200 OR capacity % 5
    OR typeof(start + "end" + cutoff + capacity) <> 'integer' OR start >= "end" OR "end" > 24
    OR iif(mode = 'TURBO', start < 10 OR "end" > 18 OR "end" <> start + 2 OR cutoff <> start,
      cutoff NOT BETWEEN 12 AND 16 OR cutoff > start)`,
  'ranges ascend; those of FLEX do not overlap': `SELECT id FROM (SELECT *,
      lag(iif(mode = 'TURBO', start + 1, "end")) OVER (PARTITION BY id, day ORDER BY n) least FROM range) WHERE start < least`,

  'parcels of the last days, with ascending ids': `SELECT id FROM (SELECT *,
      lag(date_created, 1, 0) OVER (PARTITION BY site_id ORDER BY id) earlier FROM parcel)
    WHERE date_created < max(earlier, ${at(-3)}) OR date_created >= ${MONDAY} OR date_created % 1000
      OR NOT coalesce(driver_id, 12345678) REGEXP '^[1-9]\\d{7,8}$'`,
  'a driver carries several': `SELECT site_id FROM parcel GROUP BY 1 HAVING count(DISTINCT driver_id) = count(driver_id)`,

  'carts are of two sales of one instant and buyer': `SELECT two.id FROM sale_order one
    JOIN sale_order two ON two.pack_id = one.pack_id AND two.id > one.id WHERE two.buyer_id <> one.buyer_id
      OR two.date_created <> one.date_created UNION ALL SELECT id FROM purchase WHERE n > 2`,
  'the shipping cost of a sale is null in a cart': `SELECT o.id FROM sale_order o JOIN purchase p ON p.id = coalesce(pack_id, o.id)
    WHERE shipping_cost IS NOT iif(n > 1, NULL, 0)`,
  'what was there, less what was sold, is available': `SELECT i.id FROM (SELECT item_id, sum(quantity) sold FROM sale_order
      WHERE status IN ${SOLD} GROUP BY 1) JOIN item i ON i.id = item_id
    WHERE sold_quantity <> sold OR details ->> 'initial_quantity' - available_quantity IS NOT sold`,
  'orders are by other users, on listings of the seller that are not classified': `SELECT o.id FROM sale_order o
    LEFT JOIN item i ON i.id = item_id WHERE i.seller_id IS NOT o.seller_id OR i.shipping_mode = 'not_specified'
      OR buyer_id = o.seller_id OR buyer_id NOT IN (SELECT id FROM user)`,
  'payments agree with their orders, and nothing changes after the day before the origin': `SELECT o.id FROM
      (SELECT *, iif(status IN ${SOLD} OR status = 'invalid', 'approved', iif(status = 'cancelled', 'refunded', '')) wanted
        FROM sale_order) o LEFT JOIN payment p ON p.id = (SELECT max(id) FROM payment WHERE order_id = o.id)
    WHERE (p.status = wanted OR (wanted = '' AND p.status IN ('pending', 'in_process'))) IS NOT 1
      OR abs(transaction_amount - unit_price * quantity) >= 0.001
      OR (o.last_updated <> o.date_created AND o.last_updated >= ${at(-1)})
      OR (o.date_closed IS NULL) <> (wanted = '' AND o.status <> 'confirmed')`,

  'a conversation is of a paid purchase': `SELECT m.id FROM message m
    LEFT JOIN (SELECT *, min(id) FROM paid GROUP BY purchase) o ON purchase = m.pack_id
    WHERE m.seller_id IS NOT o.seller_id OR m.buyer_id IS NOT o.buyer_id OR m.site_id IS NOT o.site_id
      OR m.date_created <= date_closed OR date_read < m.date_created`,
  'its buyer begins it': `SELECT pack_id, min(n), from_id, buyer_id FROM message GROUP BY 1 HAVING from_id <> buyer_id`,
  'messages are in the order of time': `SELECT id FROM (SELECT *, lag(date_created, 1, 0) OVER (ORDER BY n) earlier,
      count(*) OVER (PARTITION BY id) same FROM message) WHERE date_created < earlier OR same > 1 OR text LIKE '%{%'`,
}

const MANY = 10_000
const lead = (condition: string) => `SELECT sum(${condition}) FROM credit_lead GROUP BY seller_id`

/** Each selects numbers, all of which are in the range. */
export const RANGES: Record<string, [least: number, most: number, select: string]> = {
  'listings with variations of a site': [
    2,
    9,
    `SELECT sum(details -> '$.variations' IS NOT NULL) FROM item GROUP BY site_id`,
  ],
  'in the catalogue': [24, 40, `SELECT count(*) FROM item WHERE details ->> 'catalog_product_id' <> ''`],
  'questions of a seller': [260, 340, perSeller('count(*)', 'question')],
  'different questions': [0.8, 1, perSeller('count(DISTINCT text) / 1.0 / count(*)', 'question')],
  'asked during the day': [
    0.7,
    0.9,
    `SELECT avg((date_created - ${at(-98)}) / ${HOUR} % 24 BETWEEN 10 AND 22) FROM question`,
  ],
  'answered questions': [0.75, 0.92, `SELECT avg(status = 'ANSWERED') FROM question`],
  'waiting when the week begins': [5, 25, perSeller('count(*)', 'question', open(-3, 0))],
  'coming in the week': [3, 25, perSeller('count(*)', 'question', open(0, 7))],
  'repeated by a buyer': [1, MANY, 'SELECT count(*) FROM question WHERE NOT first_of_buyer'],
  'questions of a test buyer': [
    5,
    12,
    `SELECT (SELECT count(*) FROM question WHERE from_id = u.id) FROM user u
    WHERE tags LIKE '%test_user%' AND level_id IS NULL`,
  ],
  'blocked buyers of a seller': [1, 2, perSeller('count(*)', 'blocked_buyer')],
  'minutes of a fast seller': [3, 20, paceOf('VENDEDOR_MLA')],
  'minutes of a slow seller': [60, 240, paceOf('VENDEDOR_MLU')],
  'contacts of a seller a day': [16, 24, perSeller('count(*) / 97.0', 'contact_event', `kind <> 'visits'`)],
  'anonymous phone views': [0.4, 0.8, `SELECT avg(buyer_id IS NULL) FROM contact_event WHERE kind = 'phone_views'`],

  'leads of test buyers': [
    1,
    MANY,
    `SELECT count(*) FROM credit_lead JOIN user u ON u.id = buyer_id WHERE tags LIKE '%test_user%'`,
  ],
  'approved leads': [0.501, 1, `SELECT avg(status = 'approved') FROM credit_lead`],
  'approved leads with a proposal': [
    0.501,
    0.899,
    `SELECT avg(proposal_id IS NOT NULL) FROM credit_lead WHERE status = 'approved'`,
  ],
  'leads older than three months': [5, MANY, lead(`date_created < ${at(-92)}`)],
  'leads of the following week': [1, MANY, lead(`date_created >= ${MONDAY}`)],
  ...Object.fromEntries([MONDAY, at(7) - 1].flatMap((now) => leadsAt(now))),

  'sales of a shop': [40, 160, perSeller('count(*)', 'sale_order')],
  carts: [1 / 12, 1 / 7, 'SELECT avg(n = 2) FROM purchase'],
  'sales without a pack': [1 / 6, 1 / 3, 'SELECT avg(pack_id IS NULL) FROM sale_order'],
  'sales after an answer': [
    1 / 8,
    1 / 3,
    `SELECT sum(EXISTS (SELECT 1 FROM question q WHERE q.item_id = o.item_id
      AND from_id = buyer_id AND q.status = 'ANSWERED' AND answered_at < o.date_created)) / 1.0 / (SELECT count(*) FROM purchase)
    FROM sale_order o`,
  ],
  conversations: [
    0.4,
    0.6,
    `SELECT (SELECT count(*) FROM conversation) / 1.0 / (SELECT count(DISTINCT purchase) FROM paid)`,
  ],
  'answered conversations': [0.7, 1, 'SELECT avg(is_answered) FROM conversation'],
  'answered within a day': [0.9, 1, `SELECT avg(gap < ${DAY}) FROM conversation WHERE is_answered`],
  'unread by the first seller': [
    1,
    MANY,
    `SELECT count(*) FROM message WHERE seller_id = 2500000101 AND from_id <> seller_id
    AND date_read IS NULL AND date_created < ${MONDAY}`,
  ],
}

/** Questions of some days that wait for an answer. */
function open(from: number, to: number): string {
  return `status = 'UNANSWERED' AND NOT hold AND NOT suspected_spam AND date_created >= ${at(from)} AND date_created < ${at(to)}`
}
function paceOf(nickname: string): string {
  return `SELECT minutes FROM pace JOIN user ON user.id = seller_id WHERE period = 'office' AND nickname = '${nickname}'`
}
/** Leads of every kind with both sellers at an instant. */
function leadsAt(now: number): [string, [number, number, string]][] {
  const valid = `date_created <= ${now} AND date_created > ${now - 30 * DAY}`
  const kinds: [name: string, least: number, condition: string][] = [
    ['in analysis', 1, `${valid} AND status = 'in_analysis' AND NOT expired`],
    ['rejected', 2, `${valid} AND status = 'rejected' AND NOT expired`],
    ['approved', 10, `${valid} AND status = 'approved' AND NOT expired`],
    ...FINANCIAL_ENTITIES.map((entity): [string, number, string] => {
      return [entity, 2, `${valid} AND status = 'approved' AND NOT expired AND financial_entity_id = '${entity}'`]
    }),
    ['expired early', 1, `${valid} AND expired`],
    ['expired by age', 1, `date_created < ${now - 30 * DAY} AND date_created > ${now - 89 * DAY}`],
  ]
  return kinds.map(([name, least, condition]) => [`leads at ${now}: ${name}`, [least, MANY, lead(condition)]])
}

const sellerOf = (site: string) =>
  (site === 'MPE' ? 1_500_000_001 : 2_500_000_001) + 100 * (SITE_IDS.indexOf(site as 'MLA') + 1)

/** Each selects exactly these rows. */
export const LISTS: Record<string, [select: string, rows: unknown[][]]> = {
  users: [
    `SELECT count(*), sum(nickname REGEXP '^COMPRADOR_M\\w\\w_[12]$'), sum(tags LIKE '%test_user%') FROM user`,
    [[344, 16, 24]],
  ],
  'users with 31 bits': [
    'SELECT id, nickname FROM user WHERE id < 1 << 31 ORDER BY id',
    [
      [1500000701, 'VENDEDOR_MPE'],
      [1500000702, 'COMPRADOR_MPE_1'],
    ],
  ],
  'a seller of each site, at home where Flex is': [
    `SELECT id, nickname, address ->> 'city' FROM seller ORDER BY site_id`,
    [...SITE_IDS].sort().map((site) => [sellerOf(site), `VENDEDOR_${site}`, SITES[site].home.city]),
  ],
  'listings of each seller, by status and in Flex': [
    `SELECT DISTINCT count(*) OVER (), count(*), sum(status = 'active'), sum(status = 'paused'), sum(status = 'closed'),
      sum(status = 'under_review'), sum(status = 'inactive'), sum(in_flex) FROM item GROUP BY seller_id`,
    [[8, 25, 17, 3, 3, 1, 1, 8]],
  ],
  classified: [`SELECT count(*) FROM item WHERE details ->> 'buying_mode' = 'classified'`, [[4 * SITE_IDS.length]]],
  'kinds of texts': [
    `SELECT max(text REGEXP 'ñ'), max(text REGEXP 'ç|ã'), max(text REGEXP '\\p{Extended_Pictographic}'),
      max(text REGEXP '<\\w|&'), max(text LIKE '%"%') FROM texts`,
    [[1, 1, 1, 1, 1]],
  ],
  'leads of two sellers': [
    'SELECT seller_id, count(*), count(DISTINCT item_id), min(item_id), max(item_id) FROM credit_lead GROUP BY 1',
    [
      [2500000201, 60, 2, 'MLB1400000015', 'MLB1400000016'],
      [2500000401, 45, 1, 'MLC1400000017', 'MLC1400000017'],
    ],
  ],
  'their installments': [
    `SELECT group_concat(n) FROM (SELECT DISTINCT seller_id, installments_number n FROM credit_lead ORDER BY 1, 2)
      GROUP BY seller_id`,
    [['12,24,36,48,60'], ['120,180,240,300']],
  ],
  'the entities of Brazil, then those of Chile': [
    `SELECT sign(sum(iif(financial_entity_id IN ('MERCADO_PAGO', 'VOTORANTIM'), 1, -1))) FROM credit_lead
      GROUP BY seller_id ORDER BY seller_id`,
    [[1], [-1]],
  ],
  subscriptions: [
    'SELECT id, service_id, site_id, mode, status, radius, training_days FROM flex_subscription ORDER BY id',
    [
      [111181, 736230, 'MLA', 'FLEX', 'in', null, null],
      [111182, 736231, 'MLA', 'TURBO', 'in', 5000, null],
      [111183, 736232, 'MLB', 'FLEX', 'in', null, null],
      [111184, 736233, 'MLB', 'TURBO', 'pending', 4000, null],
      [111185, 736234, 'MLM', 'FLEX', 'in', null, null],
      [111186, 736235, 'MLM', 'TURBO', 'out', 3000, null],
      [111187, 736236, 'MLC', 'FLEX', 'in', null, null],
      [111188, 736237, 'MCO', 'FLEX', 'in', null, null],
      [111189, 736238, 'MLU', 'FLEX', 'in', null, null],
      [111190, 736239, 'MPE', 'FLEX', 'pending', null, 14],
      [111191, 736240, 'MEC', 'FLEX', 'in', null, null],
      [111192, 736241, 'MLA', 'FLEX', 'in', null, null],
    ],
  ],
  'subscriptions with an origin of their own': [
    `SELECT id, origin FROM flex_subscription WHERE origin <> ''`,
    [[111192, '{"address":"Av. Mitre 1200","city":"Quilmes","state":"Buenos Aires","zip_code":"1878"}']],
  ],
  'some deliver twice a day, some on Sundays, some not on Saturdays': [
    `SELECT max(json_array_length(delivery_ranges, '$.week') = 2), max(delivery_ranges ->> 'sunday' IS NOT NULL),
      max(delivery_ranges ->> 'saturday' IS NULL) FROM flex_subscription WHERE mode = 'FLEX'`,
    [[1, 1, 1]],
  ],
  parcels: [
    'SELECT id, site_id, seller_id FROM parcel ORDER BY id',
    SITE_IDS.flatMap((site, s) =>
      Array.from({ length: 12 }, (_, n) => [43_000_000_001 + 12 * s + n, site, sellerOf(site)]),
    ),
  ],
  'parcels on the way, delivered, and without a driver': [
    `SELECT DISTINCT group_concat((driver_id IS NOT NULL) || route_open)
      FROM (SELECT * FROM parcel ORDER BY id) GROUP BY site_id`,
    [['11,11,11,11,11,11,10,10,00,00,00,00']],
  ],
  'messages that were held back': [
    `SELECT seller_id, from_id, status, has_short_link(text) FROM message WHERE status <> 'available'`,
    [[2500000101, 2500000101, 'moderated', 1]],
  ],
}
