import { describe, expect, it } from 'vitest'
import * as PointInTime from './PointInTime.ts'

const answered = { method: 'info.upgrades', response: { result: {} } }
const unknown = { method: 'info.upgrades', response: { error: { code: -32000 } } }
const at = (x: string | null) => ({ heightsBefore: { p: '1', x, c: 0 } })

describe('point-in-time recordings', () => {
  it.each([
    ['of a node', { ...at('3'), calls: [answered] }, true],
    ['without heights of all chains', { height: '3', calls: [] }, true],
    ['from before the linearization of the X-chain', { ...at(null), calls: [answered] }, false],
    ['of a version without info.upgrades', { ...at('3'), calls: [unknown] }, false],
    [
      'of a node with its own order',
      { ...at('3'), label: '06-newest-on-old-database', calls: [answered] },
      false,
    ],
    ['without calls', { ...at('3') }, false],
  ])('%s: compared or left out', (_, content, isCompared) => {
    expect(PointInTime.isRecording(content)).toBe(isCompared)
  })
})
