-- Admits or refuses: of each request its key's record and two exact sliding windows, all in one round trip.
--
-- KEYS  three for each request: the key's record (hash), its minute log and its day log (lists of admissions in
--       microseconds, oldest first). The three share a hash tag; on a cluster a call carries one request.
-- ARGV  1 requests a minute  2 the minute's length in ms  3 requests a day  4 the day's length in ms: the two
--       limits hold for keys without limits of their own.  5 the latest moment at which anybody still waits for
--       the answer, in microseconds by Redis's clock; 0 when that is not known.
-- Gives Redis's clock in microseconds, and for each request seven numbers: outcome, then of the minute and of the
-- day its limit, what is used of it, and the ms until its next slot frees. The clock alone says: too late.

local UNKNOWN, REVOKED, EXPIRED, LIMITED, ADMITTED = 0, 1, 2, 3, 4
local SECOND = 1000000

local call = redis.call
local time = call('TIME')
local clock = time[1] * SECOND + time[2]

-- A slot would be taken for somebody who has been told already that nothing answers.
local awaited = tonumber(ARGV[5])
if awaited > 0 and clock > awaited then return {clock} end

local minuteLimit, minuteMs = tonumber(ARGV[1]), tonumber(ARGV[2])
local dayLimit, dayMs = tonumber(ARGV[3]), tonumber(ARGV[4])

-- Once a second is enough for people to read when a key was last used, and for logs to end a second later than they
-- could.
local function isNewSecond(newest) return math.floor(newest / SECOND) ~= math.floor(clock / SECOND) end

local function stampOf(microseconds) return string.format('%.0f', microseconds) end

-- The clock has stepped back behind what is logged: for this key it stands still for that moment, and goes on from
-- there until nothing is logged any more. So no window opens early, and none stays shut until the clock is back.
local function keyTime(key, ahead, newest)
  if not newest then
    call('HDEL', key, 'ahead')
    return clock
  end
  local now = clock + (ahead or 0)
  if newest <= now then return now end
  call('HSET', key, 'ahead', stampOf(newest - clock))
  return newest
end

-- Drops what has left the window; gives how many are left and the oldest of them.
local function slide(log, cut)
  local oldest = tonumber(call('LINDEX', log, 0))
  local dropped = 0
  while oldest and oldest <= cut do
    if dropped < 4 then
      call('LPOP', log)
      dropped = dropped + 1
    else
      -- Many at once: find the first that stays, and cut before it.
      local low, high = 0, call('LLEN', log)
      while low < high do
        local middle = math.floor((low + high) / 2)
        if tonumber(call('LINDEX', log, middle)) <= cut then low = middle + 1 else high = middle end
      end
      call('LTRIM', log, low, -1)
    end
    oldest = tonumber(call('LINDEX', log, 0))
  end
  if not oldest then return 0 end
  return call('LLEN', log), oldest
end

-- The ms until a window has one more slot. Of more than the limit, lowered meanwhile, several have to leave first.
local function frees(log, limit, used, oldest, windowMs, now)
  if used > limit then oldest = tonumber(call('LINDEX', log, used - limit)) end
  return math.ceil(((oldest or now) - now) / 1000) + windowMs
end

local stamp = stampOf(clock)
local reply = {clock}
local n = 1
for i = 1, #KEYS, 3 do
  local key, minute, day = KEYS[i], KEYS[i + 1], KEYS[i + 2]
  local state, expires, perMinute, perDay, ahead =
    unpack(call('HMGET', key, 'state', 'expires', 'perMinute', 'perDay', 'ahead'))
  if state ~= 'active' or (expires and expires * 1000 <= clock) then
    local outcome = UNKNOWN
    if state == 'active' then outcome = EXPIRED elseif state == 'revoked' then outcome = REVOKED end
    reply[n + 1] = outcome
    for j = 2, 7 do reply[n + j] = 0 end
  else
    local ofMinute, ofDay = tonumber(perMinute) or minuteLimit, tonumber(perDay) or dayLimit
    local now, entry = clock, stamp
    local newest = tonumber(call('LINDEX', day, -1))
    if ahead or (newest and newest > clock) then
      now = keyTime(key, ahead, newest)
      entry = stampOf(now)
    end
    local inMinute, minuteOldest = slide(minute, now - minuteMs * 1000)
    local inDay, dayOldest = slide(day, now - dayMs * 1000)
    local outcome = LIMITED
    if inMinute < ofMinute and inDay < ofDay then
      outcome = ADMITTED
      local isDue = inMinute == 0 or inDay == 0 or isNewSecond(newest)
      inMinute, inDay = call('RPUSH', minute, entry), call('RPUSH', day, entry)
      if isDue then
        call('HSET', key, 'used', stampOf(math.floor(clock / 1000)))
        call('PEXPIRE', minute, minuteMs + 1000)
        call('PEXPIRE', day, dayMs + 1000)
      end
    end
    reply[n + 1] = outcome
    reply[n + 2], reply[n + 3] = ofMinute, inMinute
    reply[n + 4] = frees(minute, ofMinute, inMinute, minuteOldest, minuteMs, now)
    reply[n + 5], reply[n + 6] = ofDay, inDay
    reply[n + 7] = frees(day, ofDay, inDay, dayOldest, dayMs, now)
  end
  n = n + 7
end
return reply
