import * as Backup from './rehearsals/backup.ts'
import * as Failover from './rehearsals/failover.ts'
import * as Image from './rehearsals/image.ts'
import * as PointInTime from './rehearsals/pointInTime.ts'
import * as Upgrade from './rehearsals/upgrade.ts'

const REHEARSALS: Readonly<Record<string, (print: (line: string) => void) => Promise<unknown>>> = {
  backup: Backup.rehearse,
  failover: Failover.rehearse,
  image: Image.rehearse,
  'point-in-time': PointInTime.rehearse,
  upgrade: Upgrade.rehearse,
}

const name = process.argv[2] ?? ''
const rehearse = Object.hasOwn(REHEARSALS, name) ? REHEARSALS[name] : undefined
if (rehearse === undefined) {
  console.error(
    `rehearse: name one of ${Object.keys(REHEARSALS).join(', ')}, such as npm run rehearse -- image`,
  )
  process.exitCode = 2
} else {
  await rehearse(console.log)
  console.log(`rehearsal ${name} passed`)
}
