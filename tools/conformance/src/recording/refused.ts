import { Hex, Id } from '@firn/codec'
import { UnsignedMessage } from '@firn/warp'
import * as Case from '../Case.ts'
import * as Outcome from '../Outcome.ts'
import * as Request from './request.ts'

const SERVICE = 'decided by the service, not by a library: '

/**
 * Error texts of responses with status 400 about the form of the request. Each has a library call that must
 * fail for the same reason.
 */
const FORM: Readonly<Record<string, (request: Request.Request) => void>> = {
  'Could not decode message': ({ message }) =>
    refuses('message that is not hexadecimal', () => Hex.decodeAny(message)),
  'Error unpacking warp message'({ message }) {
    const bytes = Hex.decodeAny(message)
    refuses('bytes that are not a message', () => UnsignedMessage.decode(bytes))
  },
  'Could not decode justification'(request) {
    Request.message(request)
    refuses('justification that is not hexadecimal', () => Hex.decodeAny(request.justification))
  },
  'Could not parse signing subnet ID'(request) {
    Request.message(request)
    refuses('signing subnet that is not an id', () => Id.parse(request.signingSubnet ?? ''))
  },
}

function refuses(what: string, run: () => unknown): void {
  Case.same(`refused: ${what}`, true, Case.attempt(run) === undefined)
}

/** Returns the error text in a recorded response. */
function errorOf(exchange: Case.Case): string {
  const body = Case.attempt(
    () => JSON.parse(Case.text(exchange, 'responseBody')) as { readonly error?: unknown },
  )
  return String(body?.value.error ?? '')
}

/**
 * Checks a rejected request as far as the libraries can. If the form of the request was rejected, a library
 * call must reject it too. If validators or the network rejected it, its message and justification must be
 * well-formed.
 */
export function checkRefused(exchange: Case.Case): Outcome.Outcome | undefined {
  const status = Case.number(exchange, 'status')
  const request = Request.read(exchange)
  const error = errorOf(exchange)
  const known = Object.hasOwn(FORM, error) ? FORM[error] : undefined
  if (known !== undefined && status === 400) {
    known(request ?? Request.NOTHING)
    return undefined
  }
  if (status < 500) return Outcome.skipped(`${SERVICE}${status} ${error}`)
  Case.same('readable request', true, request !== undefined)
  if (request === undefined) return undefined
  Request.message(request)
  Hex.decodeAny(request.justification)
  if (request.signingSubnet !== undefined) Id.parse(request.signingSubnet)
  return undefined
}
