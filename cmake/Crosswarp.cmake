# SPDX-License-Identifier: Apache-2.0
# How this project compiles: the language, the warnings, the packages, and three functions that every folder uses.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE OFF)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

find_program(CROSSWARP_CCACHE ccache)
if(CROSSWARP_CCACHE)
  # A checkout in another folder finds what this one compiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CROSSWARP_CCACHE})
endif()

if(CROSSWARP_SANITIZE)
  add_compile_options(-fsanitize=${CROSSWARP_SANITIZE} -fno-omit-frame-pointer -g)
  add_link_options(-fsanitize=${CROSSWARP_SANITIZE})
  if(CROSSWARP_SANITIZE MATCHES "thread")
    add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-tsan>)  # of fences in Asio, which the sanitizer does not know
  endif()
endif()

find_package(Threads REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(Boost 1.81 REQUIRED COMPONENTS json url)
find_package(yaml-cpp REQUIRED)
find_package(GTest REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(PQ REQUIRED IMPORTED_TARGET libpq)
pkg_check_modules(RE2 REQUIRED IMPORTED_TARGET re2)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(SPDLOG REQUIRED IMPORTED_TARGET spdlog)

add_library(crosswarp_options INTERFACE)
target_compile_definitions(crosswarp_options INTERFACE
  BOOST_ASIO_SEPARATE_COMPILATION BOOST_BEAST_SEPARATE_COMPILATION BOOST_ASIO_NO_DEPRECATED BOOST_ASIO_HAS_CO_AWAIT)
target_compile_options(crosswarp_options INTERFACE -Wall -Wextra $<$<CXX_COMPILER_ID:GNU>:-Wshadow=local> -Wnon-virtual-dtor -Wno-missing-field-initializers)
if(CROSSWARP_WERROR)
  target_compile_options(crosswarp_options INTERFACE -Werror)
endif()
# What GCC 12 says of the standard library's own strings and of coroutine frames once it optimises; false alarms.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(crosswarp_options INTERFACE -Wno-restrict -Wno-maybe-uninitialized -Wno-mismatched-new-delete
    -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread -Wno-dangling-pointer)
endif()
# Here and not in each folder: a precompiled header serves only targets with the same definitions.
target_link_libraries(crosswarp_options INTERFACE Boost::headers Boost::json Boost::url PkgConfig::SPDLOG)
target_include_directories(crosswarp_options INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/generated)

# Asio and Beast are compiled once, here, and not in every file that includes them.
add_library(crosswarp_asio STATIC ${CMAKE_SOURCE_DIR}/cmake/asio.cpp)
target_link_libraries(crosswarp_asio PUBLIC crosswarp_options Threads::Threads OpenSSL::SSL)

# The headers that half of the files include; two sets, so that the pure library does not see Asio.
add_library(crosswarp_pch_std STATIC ${CMAKE_SOURCE_DIR}/cmake/empty.cpp)
target_link_libraries(crosswarp_pch_std PRIVATE crosswarp_options)
target_precompile_headers(crosswarp_pch_std PRIVATE
  <algorithm> <chrono> <functional> <map> <optional> <string> <string_view> <vector> <unordered_map>
  <boost/json.hpp> <boost/system/result.hpp>)
add_library(crosswarp_pch_asio STATIC ${CMAKE_SOURCE_DIR}/cmake/empty.cpp)
target_link_libraries(crosswarp_pch_asio PRIVATE crosswarp_asio)
target_precompile_headers(crosswarp_pch_asio PRIVATE
  <algorithm> <chrono> <functional> <map> <optional> <string> <string_view> <vector> <unordered_map>
  <boost/json.hpp> <boost/system/result.hpp> <boost/asio.hpp> <boost/beast/core.hpp> <boost/beast/http.hpp>)

# crosswarp_library(NAME [ASIO] SOURCES ... [LIBS ...]): the static library of one folder.
function(crosswarp_library name)
  cmake_parse_arguments(ARG "ASIO" "" "SOURCES;LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC crosswarp_options ${ARG_LIBS})
  if(ARG_ASIO)
    target_link_libraries(${name} PUBLIC crosswarp_asio)
    target_precompile_headers(${name} REUSE_FROM crosswarp_pch_asio)
  else()
    target_precompile_headers(${name} REUSE_FROM crosswarp_pch_std)
  endif()
endfunction()

# crosswarp_test(NAME SOURCES ... [LIBS ...] [LABELS ...]): one GoogleTest program, registered as one test.
function(crosswarp_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;LIBS;LABELS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LIBS} GTest::gtest GTest::gtest_main)
  add_test(NAME ${name} COMMAND ${name})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  if(NOT ARG_LABELS)
    set(ARG_LABELS unit)
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}")
endfunction()

# crosswarp_embed(TARGET HEADER VARIABLE FILES ...): the files as string literals in generated/HEADER, so that a
# library that reads no file carries its data.
function(crosswarp_embed target header variable)
  set(out ${CMAKE_BINARY_DIR}/generated/${header})
  add_custom_command(OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DOUT=${out} -DVARIABLE=${variable} "-DFILES=${ARGN}" -DROOT=${CMAKE_CURRENT_SOURCE_DIR}
            -P ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${ARGN} ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
    VERBATIM)
  target_sources(${target} PRIVATE ${out})
endfunction()
