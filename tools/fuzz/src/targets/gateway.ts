import { createCosts, LOG_FORMATS, parseLogLine, readCalls } from '@firn/gateway'
import { ofBytes, ofText, type Target } from '../Target.ts'

const MOST_CALLS = 100

const bodies = [
  '{"jsonrpc":"2.0","id":1,"method":"eth_call","params":[{"to":"0x01","data":"0x"},"latest"]}',
  '[{"jsonrpc":"2.0","id":"a","method":"eth_getLogs","params":[{"topics":[null,["0x1"]]}]},{"method":"net_version"}]',
  ' {"id":-1.5e3,"method":"eth\\u005fblockNumber","params":{"a":[true,false,null,"\\"\\\\\\n"]}}\n',
]

const line =
  '{"time":1795280400,"chainId":"43113","method":"eth_call","status":200,"milliseconds":12,"credits":25,"token":"explorer"}'

/**
 * Compares the calls that the gateway finds in a body with the calls that a JSON parser finds. Returns a
 * description of the difference.
 */
const compare = (input: Uint8Array): string | undefined => {
  const { isBatch, calls } = readCalls(input, MOST_CALLS)
  const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(input))
  const found = (isBatch ? value : [value]) as readonly { readonly method?: unknown }[]
  const isSame = found.length === calls.length && found.every(({ method }, i) => method === calls[i]?.method)
  return isSame ? undefined : 'the calls of the body differ from those that a JSON parser finds'
}

/** Targets for the bodies that callers send to the gateway, and for the lines of access logs. */
export const gatewayTargets: readonly Target[] = [
  ofBytes('gateway, body', () => bodies.map((body) => new TextEncoder().encode(body)), compare),
  ofText(
    'gateway, line of a log',
    () => [line],
    (text) => {
      const { time, status, milliseconds, credits } = parseLogLine(text, LOG_FORMATS.firn, createCosts())
      const isWhole = [time, status, milliseconds, credits].every(Number.isSafeInteger)
      return isWhole ? undefined : 'a line has a number that is not an integer'
    },
  ),
]
