import { expect, it } from 'vitest'
import * as Fate from './Fate.ts'

const behaviours = new Map<string, Fate.Behaviour>([
  ['NodeID-silent', 'silent'],
  ['NodeID-refuses', 'refuse'],
])

it('accepts outcomes that agree with what the validators did', () => {
  const fates = [
    { nodeIds: ['NodeID-silent'], outcome: 'timed-out' },
    { nodeIds: ['NodeID-refuses'], outcome: 'refused' },
    { nodeIds: ['NodeID-healthy'], outcome: 'signed' },
    { nodeIds: ['NodeID-healthy'], outcome: 'not-sent' },
  ]
  expect(Fate.falseReasons(fates, behaviours)).toEqual([])
})

it('names a validator that is reported as silent although it answers', () => {
  const fates = [{ nodeIds: ['NodeID-healthy'], outcome: 'timed-out' }]
  expect(Fate.falseReasons(fates, behaviours)).toEqual([
    'NodeID-healthy is reported as timed-out, but its fault is none',
  ])
})
