import { share } from '../../warp/Outcomes.ts'

/** Weights of the validators of a subnet. */
export interface Weights {
  readonly signed: bigint
  readonly missing: bigint
  readonly needed: bigint
  readonly total: bigint
}

/** Shares of the weight that signed and that is missing, with a mark at the quorum. */
export function WeightBar({ weights, what }: { readonly weights: Weights; readonly what: string }) {
  const { signed, missing, needed, total } = weights
  const width = (weight: bigint) => ({ width: `${percent(weight, total)}%` })
  const label = `${share(signed, total)} ${what}, ${share(missing, total)} missing, ${share(needed, total)} needed`
  return (
    <div class="weights">
      <div class="weight-bar" role="img" aria-label={label}>
        <span class="weight-signed" style={width(signed)} />
        <span class="weight-missing" style={width(missing)} />
        <span class="weight-mark" style={{ left: `${percent(needed, total)}%` }} />
      </div>
      <ul class="weight-legend" aria-hidden="true">
        <li class="legend-signed">
          {share(signed, total)} {what}
        </li>
        <li class="legend-missing">{share(missing, total)} missing</li>
        <li class="legend-mark">{share(needed, total)} needed</li>
      </ul>
    </div>
  )
}

function percent(weight: bigint, total: bigint): number {
  return total === 0n ? 0 : Number((weight * 1_000n) / total) / 10
}
