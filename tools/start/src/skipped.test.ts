import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from './BundleManifest.mjs'
import { reportSkipped } from './skipped.mjs'

const file = (path: string, ...assertionResults: { status: string; tags: string[] }[]) => ({
  name: join(ROOT, path),
  assertionResults,
})
const FILES = [
  file(
    'packages/jobs/src/Redis.test.ts',
    { status: 'skipped', tags: ['redis'] },
    { status: 'pending', tags: ['redis'] },
    { status: 'passed', tags: ['redis'] },
  ),
  file('services/gateway/src/Limits.test.ts', { status: 'skipped', tags: ['redis'] }),
  file('packages/warp/src/Go.test.ts', { status: 'skipped', tags: ['go'] }),
]

function report(files: typeof FILES, environment: Record<string, string>) {
  const lines: string[] = []
  const isFailure = reportSkipped(files, environment, (line: string) => lines.push(line))
  return { isFailure, lines }
}

describe('reportSkipped', () => {
  it('counts skipped tests by tag and package, and accepts them outside CI', () => {
    expect(report(FILES, {})).toEqual({
      isFailure: false,
      lines: [
        'not run (redis): 2 in packages/jobs, 1 in services/gateway',
        'not run (go): 1 in packages/warp',
      ],
    })
  })

  it('fails in CI, and names the tags that are not excused', () => {
    expect(report(FILES, { CI: 'true', FIRN_EXCUSED: 'go,citus' })).toEqual({
      isFailure: true,
      lines: [
        'not run (redis): 2 in packages/jobs, 1 in services/gateway',
        'not run (go, excused): 1 in packages/warp',
        'CI runs every test. Install what is missing, or set FIRN_EXCUSED=redis.',
      ],
    })
  })

  it('accepts excused tags in CI', () => {
    expect(report(FILES, { CI: 'true', FIRN_EXCUSED: 'redis,go' }).isFailure).toBe(false)
  })

  it('never excuses a skipped test without a tag by naming other tags', () => {
    const files = [file('packages/warp/src/Go.test.ts', { status: 'skipped', tags: [] })]
    expect(report(files, { CI: 'true', FIRN_EXCUSED: 'redis,go' })).toEqual({
      isFailure: true,
      lines: [
        'not run (no tag): 1 in packages/warp',
        'CI runs every test. Install what is missing, or set FIRN_EXCUSED=no tag.',
      ],
    })
  })

  it('prints nothing if every test ran', () => {
    const files = [file('packages/warp/src/Go.test.ts', { status: 'passed', tags: [] })]
    expect(report(files, { CI: 'true' })).toEqual({ isFailure: false, lines: [] })
  })
})
