#!/bin/sh
# Starts $CHROMIUM without the two pages that it loads for its address bar in each window, which take as long as the pages
# of a test. Of several lists of features it heeds the last one: these are added to that of Playwright.

for argument; do
  shift
  case $argument in
    --disable-features=*) argument=$argument,WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup ;;
  esac
  set -- "$@" "$argument"
done
exec "$CHROMIUM" "$@"
