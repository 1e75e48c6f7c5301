import { describe, expect, it } from 'vitest'
import { MOST_NAMED, UPSTREAM } from './masks.ts'
import { PLANS } from './plans.ts'

describe.each(Object.entries(PLANS))('the plan of network %s', (_networkID, plan) => {
  const files = plan.stages.flatMap((stage) => stage.files)

  it('has each file once', () => {
    expect(new Set([...files, ...plan.leftOut]).size).toBe(files.length + plan.leftOut.length)
    expect(new Set(plan.moments.files).size).toBe(plan.moments.files.length)
  })

  it.each([
    ['transcripts', plan.exceptions, files.map((name) => `${name}.jsonl`)],
    ['moments', plan.moments.exceptions, plan.moments.files],
  ])(
    'names few exceptions of %s, each once, with its reason, in files that it has',
    (_of, { masks, named }, known) => {
      expect(named.length).toBeLessThanOrEqual(MOST_NAMED)
      for (const { file } of named) expect(known).toContain(file)
      expect(new Set(named.map(({ file, line }) => `${file}:${line}`)).size).toBe(named.length)
      const keys = masks.map(({ method, path, form, port }) => [method, path, form, port].join(' '))
      expect(new Set(keys).size).toBe(masks.length)
      for (const { reason } of [...masks, ...named]) expect(reason.length).toBeGreaterThan(4)
    },
  )

  it('has the plugins of stages in files of theirs', () => {
    for (const stage of plan.stages) {
      for (const { file } of stage.plugins ?? []) expect(stage.files).toContain(file)
    }
  })

  it('asks recorded nodes only', () => {
    for (const { nodeID } of Object.values(plan.nodes)) expect(nodeID).toMatch(/^NodeID-/)
  })
})

it('tells why something is asked of an upstream', () => {
  for (const { reason } of UPSTREAM) expect(reason).not.toBe('')
})
