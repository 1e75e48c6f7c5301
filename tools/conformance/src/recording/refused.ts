import { Hex, Id } from '@firn/codec'
import { UnsignedMessage } from '@firn/warp'
import * as Case from '../Case.ts'
import * as Outcome from '../Outcome.ts'
import * as Request from './request.ts'

const SERVICE = 'the service judges it, no library: '

/** Answers of status 400 that judge the form of the request, and how a library comes to the same verdict. */
const FORM: Readonly<Record<string, (request: Request.Request) => void>> = {
  'Could not decode message': ({ message }) =>
    refuses('message that is not hex', () => Hex.decodeAny(message)),
  'Error unpacking warp message'({ message }) {
    const bytes = Hex.decodeAny(message)
    refuses('bytes that are no message', () => UnsignedMessage.decode(bytes))
  },
  'Could not decode justification'(request) {
    Request.message(request)
    refuses('justification that is not hex', () => Hex.decodeAny(request.justification))
  },
  'Could not parse signing subnet ID'(request) {
    Request.message(request)
    refuses('signing subnet that is no id', () => Id.parse(request.signingSubnet ?? ''))
  },
}

function refuses(what: string, run: () => unknown): void {
  Case.same(`refused: ${what}`, true, Case.attempt(run) === undefined)
}

/** The error text in a recorded answer. */
function errorOf(exchange: Case.Case): string {
  const body = Case.attempt(
    () => JSON.parse(Case.text(exchange, 'responseBody')) as { readonly error?: unknown },
  )
  return String(body?.value.error ?? '')
}

/**
 * Checks what a library can of a refused request: the same verdict on the form of message and justification, or, when
 * validators or the network refused, that both are well-formed.
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
  Case.same('request is read', true, request !== undefined)
  if (request === undefined) return undefined
  Request.message(request)
  Hex.decodeAny(request.justification)
  if (request.signingSubnet !== undefined) Id.parse(request.signingSubnet)
  return undefined
}
