-- The gate: admits each request or refuses it, by its key's record and two exact sliding windows, in one round trip.
--
-- A window is a log: the times of the key's admissions, oldest first. For each key, with all its requests of the call:
--
--   1. Read the key's record. A key that is unknown, revoked or expired is refused: its requests take no slots.
--   2. Take the key's own time, which never runs backwards. It is Redis's clock plus `ahead`. When the clock is behind
--      the newest admission, the clock has stepped back, and `ahead` becomes the difference. So no window opens early,
--      and none stays shut until the clock has caught up. `ahead` is deleted when the day log has no admission left.
--   3. Slide both windows: drop the admissions that are one window length old or older. What remains is used.
--   4. Admit as many requests as both windows have slots left: append the time to both logs once for each. The others are
--      limited, and take no slot.
--   5. Renew the logs' expiry on the first admission of each second of the key's own time. So the newest admission of a
--      log is at most a second later than the last renewal. A log lives a second longer than its window, so it never
--      expires while an admission in it still counts. Seconds of Redis's clock would not do: after it has stepped back,
--      it repeats seconds, and their renewals would be skipped.
--   6. Count the requests in the key's usage of the day: admitted ones in the low 32 bits, limited ones above them. One
--      string per day, because INCRBY takes half the time of HINCRBY.
--   7. Reply with each window's limit, its slots in use, and when its next slot frees.
--
-- KEYS  four for each key: the key's record (hash), its minute log and its day log (lists of admissions in microseconds,
--       oldest first), and its usage of today (string). The four share a hash tag; on a cluster a call is for one key. No
--       key is named twice.
-- ARGV  1 the requests a minute  2 the minute's length in ms  3 the requests a day  4 the day's length in ms. The two
--       limits are for keys without limits of their own.
--       5 the latest moment at which a client still waits for the reply, in microseconds by Redis's clock; 0 when it is
--       not known.
--       6 and following: how many requests each key has in this call; 0 for a key that is only checked.
-- Reply: two texts. A call that came too late gets only Redis's clock.
--       The first text has numbers, packed as doubles because clients read those fastest. Redis's clock in microseconds
--       comes first. Then each key has seven numbers. One says how many of its requests are admitted, or why all are
--       refused. Three are about the minute and three about the day: the limit, the slots in use after all requests, and
--       the ms until the next slot frees. For a key that is only checked, the minute's slots in use may be 0 although
--       some are in use, because nobody reads them.
--       The second text has the keys' ids with commas between. The id of an unknown key is empty.

local UNKNOWN, REVOKED, EXPIRED = -1, -2, -3
local SECOND = 1000000
local LIMITED_ONCE = 4294967296
local CLOCK, OF_KEY = '<d', '<ddddddd'
-- The last 31 days are reported.
local USAGE_MS = 32 * 86400000
-- The last moment of a JavaScript `Date`, in ms and in microseconds. `keyRecords.ts` also refuses greater numbers as
-- damaged.
local LAST_MS, LAST_TIME = 8.64e15, 8.64e18

-- Numbers that a script passes to a command are formatted as doubles, which takes longer than the command. So arguments
-- are texts where they can be: '0', not 0.
local call = redis.call
local pack, floor, ceil, min, tonumber = struct.pack, math.floor, math.ceil, math.min, tonumber
local time = call('TIME')
local clock = time[1] * SECOND + time[2]

-- The clients have been answered 503: an admission would take slots for nobody.
local awaited = tonumber(ARGV[5])
if awaited > 0 and clock > awaited then return {pack(CLOCK, clock), ''} end

local minuteLimit, minuteMs = tonumber(ARGV[1]), tonumber(ARGV[2])
local dayLimit, dayMs = tonumber(ARGV[3]), tonumber(ARGV[4])
local isDayLonger = dayMs >= minuteMs

local function secondOf(microseconds) return floor(microseconds / SECOND) end

-- The digits of a time. Lua itself would write numbers of this size with an exponent.
local function textOf(microseconds) return string.format('%.0f', microseconds) end

-- Step 2, for a key whose own time may differ from the clock.
local function ownTime(key, ahead, newest)
  if not newest then
    call('HDEL', key, 'ahead')
    return clock
  end
  local now = clock + (ahead or 0)
  if newest <= now then return now end
  call('HSET', key, 'ahead', textOf(newest - clock))
  return newest
end

-- The oldest admission of a log. A log whose first entry is no time cannot be counted, so its key is refused. Lua reads
-- `nan` and `inf` as numbers. A comparison with `nan` is false.
local function oldestOf(log)
  local first = call('LINDEX', log, '0')
  local oldest = tonumber(first)
  if first and not (oldest and oldest < LAST_TIME) then
    error('attempt to count a log whose first entry is not an integer')
  end
  return oldest
end

-- A number in a record. Without this check, a key with a damaged expiry or limit would never expire or have no limit.
local function wholeNumber(text)
  local number = tonumber(text)
  if not (number and number >= 0 and number <= LAST_MS and number == floor(number)) then
    error('attempt to use a number that is not an integer')
  end
  return number
end

-- Step 3 for one log: drops admissions up to `cut`. Returns the oldest that remains.
local function slide(log, cut)
  local oldest = oldestOf(log)
  local dropped = 0
  while oldest and oldest <= cut do
    if dropped < 4 then
      call('LPOP', log)
      dropped = dropped + 1
    else
      -- Many admissions have left the window. A binary search finds the first admission that remains.
      local low, high = 0, call('LLEN', log)
      while low < high do
        local middle = floor((low + high) / 2)
        if tonumber(call('LINDEX', log, middle)) <= cut then low = middle + 1 else high = middle end
      end
      call('LTRIM', log, low, -1)
    end
    oldest = oldestOf(log)
  end
  return oldest
end

-- Step 7: the ms until a window's next slot frees. When a limit was lowered below what is used, several admissions have
-- to leave the window first.
local function freesMs(log, limit, used, oldest, windowMs, now)
  if used > limit then oldest = tonumber(call('LINDEX', log, used - limit)) end
  return ceil(((oldest or now) - now) / 1000) + windowMs
end

-- Step 4 for one log: appends the time once for each admission. Returns the new length of the log.
local function append(log, text, admissions)
  if admissions == 1 then return call('RPUSH', log, text) end
  local texts = {}
  for i = 1, admissions do texts[i] = text end
  return call('RPUSH', log, unpack(texts))
end

-- Step 6. A usage that is not a number is overwritten. It limits nobody, so its damage is no reason to refuse a request
-- whose slots are taken.
local function count(usage, admitted, limited)
  local sum = admitted + limited * LIMITED_ONCE
  local text = sum == 1 and '1' or textOf(sum)
  local counted = redis.pcall('INCRBY', usage, text)
  if type(counted) == 'table' then
    call('SET', usage, text)
    counted = sum
  end
  -- A usage that is new has no expiry yet.
  if counted == sum then call('PEXPIRE', usage, USAGE_MS) end
end

local clockText = textOf(clock)
local numbers, ids = {pack(CLOCK, clock)}, {}
for i = 1, #KEYS, 4 do
  local key, minute, day, usage = KEYS[i], KEYS[i + 1], KEYS[i + 2], KEYS[i + 3]
  local requests = tonumber(ARGV[5 + (i + 3) / 4])
  local state, expires, perMinute, perDay, ahead, id =
    unpack(call('HMGET', key, 'state', 'expires', 'perMinute', 'perDay', 'ahead', 'id'))
  if state ~= 'active' or (expires and wholeNumber(expires) * 1000 <= clock) then
    local refusal = UNKNOWN
    if state == 'active' then refusal = EXPIRED elseif state == 'revoked' then refusal = REVOKED end
    numbers[#numbers + 1] = pack(OF_KEY, refusal, 0, 0, 0, 0, 0, 0)
  else
    local ofMinute = perMinute and wholeNumber(perMinute) or minuteLimit
    local ofDay = perDay and wholeNumber(perDay) or dayLimit
    local now, nowText = clock, clockText
    local newest = tonumber(call('LINDEX', day, '-1'))
    if ahead or (newest and newest > clock) then
      now = ownTime(key, ahead, newest)
      nowText = textOf(now)
    end
    local minuteOldest = slide(minute, now - minuteMs * 1000)
    local dayOldest = slide(day, now - dayMs * 1000)
    local inDay = dayOldest and call('LLEN', day) or 0
    -- The day's admissions include those of the minute. So when all of them and these requests fit the minute's limit,
    -- the minute has the slots, and the minute log need not be counted.
    local isSparse = isDayLonger and inDay + requests <= ofMinute
    local inMinute = 0
    if inDay >= ofDay or not isSparse then inMinute = call('LLEN', minute) end
    local admitted = min(requests, ofMinute - inMinute, ofDay - inDay)
    if admitted > 0 then
      -- A log that was empty has no expiry yet.
      local isDue = not minuteOldest or not dayOldest or secondOf(newest) ~= secondOf(now)
      inMinute, inDay = append(minute, nowText, admitted), append(day, nowText, admitted)
      if isDue then
        call('HSET', key, 'used', textOf(floor(clock / 1000)))
        call('PEXPIRE', minute, minuteMs + 1000)
        call('PEXPIRE', day, dayMs + 1000)
      end
    else
      admitted = 0
    end
    if requests > 0 then count(usage, admitted, requests - admitted) end
    local minuteFreesMs = freesMs(minute, ofMinute, inMinute, minuteOldest, minuteMs, now)
    local dayFreesMs = freesMs(day, ofDay, inDay, dayOldest, dayMs, now)
    numbers[#numbers + 1] = pack(OF_KEY, admitted, ofMinute, inMinute, minuteFreesMs, ofDay, inDay, dayFreesMs)
  end
  ids[#ids + 1] = id or ''
end
return {table.concat(numbers), table.concat(ids, ',')}
