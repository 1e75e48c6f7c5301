import { Id, NodeId } from '@firn/codec'
import { Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { REPORT } from '../testing/app.ts'
import { createWrongSignatures } from './WrongSignatures.ts'

const SUBNET = Id.format(Id.EMPTY)

/** Returns a report in which the validator of each node sent a wrong signature. */
function reportOf(nodeIds: readonly Uint8Array[]) {
  const [, refused] = REPORT.validators
  const wrong = { index: 0, weight: 1n, requests: 1, inSignedMessage: false, ...refused }
  const validators = nodeIds.map((nodeId) => ({
    ...wrong,
    nodeIds: [nodeId],
    outcome: 'bad-signature' as const,
  }))
  return { ...REPORT, validators: [...REPORT.validators, ...validators] }
}

describe('signature_aggregator_wrong_signatures_total', () => {
  it('counts the requests to which a validator sent a wrong signature, by node and subnet', async () => {
    const register = new Registry()
    const add = createWrongSignatures(register)
    const nodeId = new Uint8Array(20).fill(7)
    add(REPORT, Id.EMPTY)
    add(reportOf([nodeId]), Id.EMPTY)
    add(reportOf([nodeId]), Id.EMPTY)
    const lines = (await register.metrics()).split('\n').filter((line) => /^signature\w+\{/.test(line))
    expect(lines).toEqual([
      `signature_aggregator_wrong_signatures_total{nodeID="${NodeId.format(nodeId)}",subnetID="${SUBNET}"} 2`,
    ])
  })

  it('names 200 validators, and counts the others together', async () => {
    const register = new Registry()
    const add = createWrongSignatures(register)
    const nodes = Array.from({ length: 205 }, (_, index) => new Uint8Array(20).fill(index))
    add(reportOf(nodes), Id.EMPTY)
    add(reportOf(nodes.slice(-1)), Id.EMPTY)
    const text = await register.metrics()
    expect(text.match(/nodeID="NodeID-/g)).toHaveLength(200)
    expect(text).toContain('signature_aggregator_wrong_signatures_total{nodeID="other",subnetID="other"} 6')
  })
})
