import { type Group, share } from '../../warp/Outcomes.ts'
import { Status } from '../Status.tsx'

/** Why weight is missing, and what to do about it. */
export function Missing({ groups, total }: { readonly groups: readonly Group[]; readonly total: bigint }) {
  return (
    <ul class="found">
      {groups.map(({ words: { title, tone, remedy }, detail, count, weight }) => (
        <li key={`${title} ${detail}`}>
          <Status tone={tone}>{title}</Status>
          <span>
            {count} {count === 1 ? 'validator' : 'validators'} with {share(weight, total)} of the weight
          </span>
          {detail !== '' && <span class="code">{detail}</span>}
          {remedy !== undefined && <span class="muted">{remedy}</span>}
        </li>
      ))}
    </ul>
  )
}
