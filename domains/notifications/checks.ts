import { type CallChecks, defineChecks } from '../../http/errors/checks.ts'

const CHECKS = defineChecks({
  own_application: [
    'notifications.missed.rights',
    'app_id is the application of the token',
    'app_id es la aplicación del token',
    'app_id é a aplicação do token',
    'app_id',
  ],
})

export const LIST_MISSED: CallChecks = {
  order: 'http.order',
  checks: [CHECKS.own_application],
  values: { app_id: ({ caller }) => (caller ? [caller.application_id] : []) },
}
