import { Hex, Id } from '@firn/codec'
import { UnsignedMessage } from '@firn/warp'
import * as Case from '../Case.ts'
import * as Outcome from '../Outcome.ts'
import * as Request from './request.ts'

const SERVICE = 'judged by the service, not by a library: '

/**
 * Responses with status 400 that concern the form of the request, and how a library reaches the same verdict.
 */
const FORM: Readonly<Record<string, (request: Request.Request) => void>> = {
  'Could not decode message': ({ message }) =>
    refuses('message that is not hex', () => Hex.decodeAny(message)),
  'Error unpacking warp message'({ message }) {
    const bytes = Hex.decodeAny(message)
    refuses('bytes that are not a message', () => UnsignedMessage.decode(bytes))
  },
  'Could not decode justification'(request) {
    Request.message(request)
    refuses('justification that is not hex', () => Hex.decodeAny(request.justification))
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
 * Checks what a library can check of a rejected request: the same verdict on the form of message and
 * justification, or, if validators or the network rejected it, that both are well-formed.
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
  Case.same('request is readable', true, request !== undefined)
  if (request === undefined) return undefined
  Request.message(request)
  Hex.decodeAny(request.justification)
  if (request.signingSubnet !== undefined) Id.parse(request.signingSubnet)
  return undefined
}
