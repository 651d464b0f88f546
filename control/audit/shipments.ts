import type { Finding } from './finding.ts'

/** The route whose answers print labels. */
export const LABELS = 'GET /shipment_labels'

const shippedLate: Finding = {
  id: 'shipments.shipped_late',
  severity: 'warn',
  text: {
    en: {
      title: 'A sale was shipped late',
      why: 'The label was printed after the day on which the parcel was to be handed over, although the program was running before. Late parcels lower the reputation of the seller.',
      fix: 'Subscribe to the topic `orders_v2` or `shipments`, print labels as soon as they are `ready_to_print`, and read `expected_date` in `/shipments/{id}/sla`.',
    },
    es: {
      title: 'Una venta se despachó tarde',
      why: 'La etiqueta se imprimió después del día en que había que despachar el paquete, aunque el programa ya estaba en marcha. Los envíos tardíos bajan la reputación del vendedor.',
      fix: 'Suscríbete al tópico `orders_v2` o `shipments`, imprime las etiquetas en cuanto estén en `ready_to_print` y lee `expected_date` en `/shipments/{id}/sla`.',
    },
    pt: {
      title: 'Uma venda foi despachada com atraso',
      why: 'A etiqueta foi impressa depois do dia em que o pacote devia ser despachado, embora o programa já estivesse em execução. Envios atrasados baixam a reputação do vendedor.',
      fix: 'Assine o tópico `orders_v2` ou `shipments`, imprima as etiquetas assim que estiverem em `ready_to_print` e leia `expected_date` em `/shipments/{id}/sla`.',
    },
  },
  find({ calls, labels }) {
    const [first] = calls
    return labels.flatMap(({ shipment_id, printedAt, expected }) => {
      // What was late before the program began is not its fault.
      if (printedAt <= expected || first!.entry.world_time >= expected) return []
      const call = calls.find(
        ({ route, isSuccess, entry, ids }) =>
          route === LABELS && isSuccess && entry.world_time >= printedAt && ids('shipment_ids').includes(shipment_id),
      )
      return call ? { subject: `/shipments/${shipment_id}`, requests: [call.id] } : []
    })
  },
}

export const SHIPMENTS: readonly Finding[] = [shippedLate]
