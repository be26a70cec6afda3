const form = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[Zz]|[+-](\d{2}):(\d{2}))$/;

const daysIn = (year: number, month: number): number => new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();

/** Whether a text is a date and time of RFC 3339 with its offset: a day that exists, seconds said, 60 only as a leap second. */
export const isDatetime = (text: string): boolean => {
  const parts = form.exec(text);
  if (!parts) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, offHour = 0, offMinute = 0] = parts
    .slice(1)
    .map((part) => Number(part ?? 0));
  return (
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= daysIn(year, month) &&
    hour <= 23 &&
    minute <= 59 &&
    second <= (minute === 59 ? 60 : 59) &&
    offHour <= 23 &&
    offMinute <= 59
  );
};
