import { type Amount, shareOf } from '../model/budget.ts';

/** What is used of one limit. */
export function Meter({ amount }: { amount: Pick<Amount, 'name' | 'used' | 'limit' | 'show'> }) {
  const { name, used, limit, show } = amount;
  const share = shareOf(amount);
  const tone = share === null ? '' : share >= 1 ? 'bad' : share >= 0.8 ? 'warn' : '';
  return (
    <div class="meter">
      <span class="meter-name">{name}</span>
      <span class="meter-value">
        <b>{show(used)}</b>
        {limit === null ? <span class="muted"> no limit</span> : <span class="muted"> of {show(limit)}</span>}
      </span>
      <Bar share={share} tone={tone} />
    </div>
  );
}

export function Bar({ share, tone = '' }: { share: number | null; tone?: string }) {
  const percent = share === null ? 0 : Math.round(share * 1000) / 10;
  return (
    <svg class={`bar ${tone}`} viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect class="track" width="100" height="4" />
      <rect class="used" width={percent} height="4" />
    </svg>
  );
}
