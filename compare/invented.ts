// What of an answer does not follow from what a recording shows: only its form is compared.

const of = (route: RegExp, places: RegExp): [RegExp, RegExp] => [route, places]

/** Values by the path of their route and by their place in the body. */
const INVENTED: readonly [route: RegExp, places: RegExp][] = [
  of(/./, /(^|\.)permalink$|(^|\.)scroll_id$/),
  // Of all questions of a seller, also those that no answer shows.
  of(/^\/questions\/\{question_id\}$|^\/answers$/, /^from\.answered_questions$/),
  of(/response_time$/, /response_time$|sales_percent_increase$/),
  // Addresses, zones, prices and limits of Flex are those of this server.
  of(/configuration\/v3$/, /\.address\.(id|city\.id)$|\.zones|\.availables|training_times/),
  of(/subscriptions\/v1$/, /\.(origin\.(id|city\.id))$/),
  of(/^\/missed_feeds$/, /^messages/),
  of(/^\/oauth\/|test_user$|^\/authorization/, /./),
]

/** Of calls that change something: ids and times that the server gives. */
const INVENTED_OF_WRITES = /(^|\.)(id|date_created|last_updated)$/

export function isInvented(
  template: string,
  place: string,
  { isWrite, isSandbox }: { isWrite: boolean; isSandbox: boolean },
) {
  return (
    isSandbox ||
    (isWrite && INVENTED_OF_WRITES.test(place)) ||
    INVENTED.some(([route, places]) => route.test(template) && places.test(place))
  )
}
