import { Hex, NodeId } from '@firn/codec'
import { createDevnet, type Devnet, Fate, Fault } from '@firn/devnet'
import { until } from '@firn/runtime/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Bench, startService, verify } from './testing/devnet.ts'

const VALIDATORS = 100

/** Number of requests. The default is small; for a soak test, set FIRN_SOAK_REQUESTS=200. */
const REQUESTS = Number(process.env['FIRN_SOAK_REQUESTS'] ?? 2)

/**
 * Number of validators with each fault, out of 100 validators with equal weight. 33 of the faulty validators
 * do not sign; those with the fault `repeat` do.
 */
const COUNTS: Readonly<Record<Fault.SigningFault['kind'], number>> = {
  slow: 4,
  silent: 4,
  refuse: 3,
  'wrong-signature': 3,
  'other-message': 3,
  'short-signature': 3,
  'long-signature': 2,
  infinity: 2,
  cancelling: 2,
  repeat: 2,
  disconnect: 2,
  garbage: 3,
  empty: 2,
}

/** Faults that show at once. The others show only if the request waits for the validator. */
const PROMPT = Object.keys(COUNTS).filter((kind) => kind !== 'slow' && kind !== 'silent')
/** Faults with which a validator signs nevertheless. */
const SIGNING: readonly string[] = ['none', 'repeat']

let devnet: Devnet
let bench: Bench

// Each test has its own network, because one test may break connections that the next test needs.
beforeEach(async () => {
  devnet = await createDevnet({ validators: VALIDATORS })
  bench = await startService(devnet)
  // A third of the validators is faulty, so all honest ones must be connected. This can take a while.
  await until(async () => {
    const { body } = await bench.health()
    expect(body.subnets[0]?.connectedValidators).toBe(VALIDATORS)
  })
})
afterEach(async () => {
  await bench.service.close()
  await devnet.close()
})

function faults(counts: Readonly<Record<string, number>>): Record<string, Fault.SigningFault> {
  const kinds = Object.entries(counts).flatMap(([kind, count]) => Array<string>(count).fill(kind))
  return Object.fromEntries(
    kinds.map((kind, index) => {
      const partner = kinds[index - 1] === kind ? index - 1 : index + 1
      return [index, Fault.parse({ kind, partner, ms: 60_000, code: -1 }) as Fault.SigningFault]
    }),
  )
}

let sent = 0
/**
 * Repeats the request while honest validators time out, which happens on a busy machine. All of them are
 * needed, and the service keeps the signatures that it already has.
 */
const ask = async () => {
  sent++
  const message = devnet.acceptMessage({ chain: 'C', payload: new TextEncoder().encode(`message ${sent}`) })
  for (;;) {
    const response = await bench.ask({ message: Hex.encode(message) }, '?report=true&proof=true')
    if (response.status !== 502 || !response.body.message.includes('timed out')) return response
  }
}

describe('a hundred validators', () => {
  it('signs every message although a third of 100 validators is faulty, and reports only the faults that each validator has', async () => {
    const faulty = faults(COUNTS)
    devnet.setFaults(faulty)
    const prompt = Object.values(faulty).filter(({ kind }) => PROMPT.includes(kind))
    const behaviours = new Map<string, Fate.Behaviour>(
      devnet.validators.map(({ nodeId }, index) => [NodeId.format(nodeId), faulty[index]?.kind ?? 'none']),
    )
    for (let i = 0; i < REQUESTS; i++) {
      const response = await ask()
      expect(response.status, response.body.message).toBe(200)
      expect(verify(response)).toMatchObject({ ok: true })
      let named = 0
      for (const { nodeIds, outcome, lately, inSignedMessage } of response.body.report.validators) {
        const fault = behaviours.get(nodeIds[0]) ?? 'none'
        const fates = [outcome, ...(lately === undefined ? [] : [lately.outcome])]
        const reported = fates.map((one) => ({ nodeIds, outcome: one }))
        expect(Fate.falseReasons(reported, behaviours)).toEqual([])
        if (PROMPT.includes(fault) && fates.some((one) => !Fate.NEUTRAL.includes(one))) named += 1
        expect(inSignedMessage, `${fault} of ${nodeIds[0]}`).toBe(SIGNING.includes(fault))
      }
      expect(named).toBeGreaterThanOrEqual(0.8 * prompt.length)
    }
  })

  it('reports the signed weight, and why the other validators did not sign, if 34 % of the validators misbehave', async () => {
    devnet.setFaults(faults({ refuse: 14, 'wrong-signature': 10, 'short-signature': 10 }))
    const { status, body } = await ask()
    expect(status).toBe(502)
    expect(body.message).toMatch(/\(66 %\), .* needed \(67 %\); main reasons: /)
    expect(body.message).toContain('20 % of the weight (20 validators) sent an invalid signature')
    expect(body.message).toContain('14 % of the weight (14 validators) refused (code -1')
  })
})
