import { spawnSync } from 'node:child_process'
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Check, Consumer, Tarballs, type Violation, Workspace } from '@firn/check'
import * as Release from './Release.ts'

const ROOT = join(import.meta.dirname, '../../..')
const USAGE = 'usage: npm run release -- [--dry-run]\n\nWith --dry-run, does everything but publish.'

/** Prints violations. Returns whether there are none. */
function report(name: string, violations: readonly Violation[], examined: string): boolean {
  console.log(Check.format([{ rule: name, examined, violations }]))
  return violations.length === 0
}

/** Removes what earlier builds made: a tarball contains everything in `dist`, also from modules that were moved. */
function clean({ packages }: Workspace.Workspace): void {
  for (const { folder, manifest } of packages)
    if (manifest.private !== true)
      for (const made of ['dist', 'tsconfig.tsbuildinfo'])
        rmSync(join(ROOT, folder, made), { recursive: true, force: true })
}

/** Builds, packs and checks every public package, and prints what a release publishes. Returns whether all is well. */
async function check(): Promise<boolean> {
  const workspace = Workspace.open(ROOT)
  const released = Release.version(workspace)
  const isConsistent = report(
    'versions',
    [...Release.problems(workspace), ...Release.pending(workspace)],
    `${workspace.packages.length} packages of version ${released}`,
  )
  if (!isConsistent) return false
  clean(workspace)
  const subject = Check.parse(workspace)
  const first = Check.RULES.filter(({ name }) => ['types', 'publication'].includes(name))
  const outcomes = await Check.runRules(subject, first)
  console.log(Check.format(outcomes))
  if (outcomes.some(({ violations }) => violations.length > 0)) return false
  const consumer = await Consumer.create(workspace)
  try {
    const { installed } = consumer
    const finding = await Tarballs.examine(subject, consumer)
    const violations = [...Release.checkTarballs(installed, released), ...finding.violations]
    if (!report('tarballs', violations, finding.examined)) return false
    console.log(
      Release.format(
        installed,
        installed.map(({ tarball }) => statSync(tarball).size),
      ),
    )
    return true
  } finally {
    rmSync(consumer.folder, { recursive: true, force: true })
  }
}

const given = process.argv.slice(2)
/** npm takes the flag for its own if no `--` stands before it. */
const isDry = given.length > 0 || process.env['npm_config_dry_run'] === 'true'
if (given.some((argument) => argument !== '--dry-run')) {
  console.error(USAGE)
  process.exitCode = 2
} else if (!(await check())) {
  console.error('release: nothing was published, because of the problems above.')
  process.exitCode = 1
} else if (isDry) {
  console.log('release: this was a dry run; nothing was published.')
} else {
  const publishing = spawnSync(join(ROOT, 'node_modules/.bin/changeset'), ['publish'], {
    cwd: ROOT,
    stdio: 'inherit',
  })
  process.exitCode = publishing.status ?? 1
}
